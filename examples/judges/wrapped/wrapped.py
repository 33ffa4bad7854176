# Wraps a referee of whole matches as a judge. Such a referee is a command that plays a game by itself, from what each player
# decides before it, and prints ranks: `referee.py SEED FILE…`, with a file for each player, prints `0 1` if the first one wins.
#
# What is lost by it: Cornerman sees one move a player, the plan that it hands in, and no position in between. So a replay has
# no steps, `check` has no legal moves to play with, a bot cannot react to others, and it gets no word about what was wrong with
# its plan beyond what the referee prints. Time is measured for the plan alone.
import functools, json, os, subprocess, sys, tempfile

REFEREE = [sys.executable, "-IS", os.path.join(os.path.dirname(os.path.abspath(__file__)), "referee.py")]

# The referee always decides the same, so that its answers can be kept: to start it is what takes time.
@functools.lru_cache(4096)
def run(seed, plans):
    """The lines that the referee prints, and its exit status."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for seat, plan in enumerate(plans):
            files.append(os.path.join(folder, str(seat)))
            with open(files[-1], "w", encoding="utf-8") as file:
                file.write(plan or "")
        done = subprocess.run(REFEREE + [str(seed)] + files, capture_output=True, text=True, timeout=1.5)
        return done.stdout, done.returncode

def start(q):
    views = [f"you are {seat + 1} of {q['seats']}: hand in your plan\n" for seat in range(q["seats"])]
    return {"state": q["seed"], "turn": list(range(q["seats"])), "views": views, "board": "before the match\n"}

def wrong(text):
    """What the referee says about a plan that plays against itself."""
    if text is not None:
        try:
            printed, status = run(0, (text, text))
        except (subprocess.TimeoutExpired, OSError, ValueError):
            return "the referee cannot read this plan"
        if status != 0:
            return (printed.strip() or "the referee refuses this plan")[:200]

def move(q):
    illegal = [wrong(text) for text in q["moves"]]
    if any(illegal):
        return {"illegal": illegal}
    present = [seat for seat in range(q["seats"]) if seat not in q["out"]]
    places = [len(present) + 1] * q["seats"]
    if len(present) > 1:
        printed, _ = run(q["state"], tuple(q["moves"][q["turn"].index(seat)] for seat in present))
        ranks = [int(word) for word in printed.split()]
    else:
        ranks = [0] * len(present)
    for seat, rank in zip(present, ranks):
        places[seat] = 1 + sum(other < rank for other in ranks)
    return {"state": q["state"], "places": places, "view": "over\n", "board": f"places {places}\n"}

def answer(q):
    if q["ask"] == "hello":
        return {"judge": 1, "game": "wrapped", "title": "A wrapped referee", "prompt": "five throws, such as rpsrp"}
    return start(q) if q["ask"] == "start" else move(q)

for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
