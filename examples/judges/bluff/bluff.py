# Bluff: two to four players with dice that only they see. A player bids how many dice of all show a face at least, or calls
# the bid before. If the bid holds, the caller loses a die, or else the bidder does. Who has the last dice wins.
import json, random, sys

def start(q):
    return deal(q, {"dice": [q["rules"]["dice"]] * q["seats"], "seed": q["seed"], "round": 0}, 0, "")

def deal(q, state, first, news):
    """A new round, which `first` or the next player with dice begins."""
    state["dice"] = [0 if seat in q["out"] else dice for seat, dice in enumerate(state["dice"])]
    left = [seat for seat in range(q["seats"]) if state["dice"][seat]]
    if len(left) < 2:
        return over(q, state, left, news)
    state["round"] += 1
    chance = random.Random(f"{state['seed']} {state['round']}")
    state["hands"] = [sorted(chance.randint(1, 6) for _ in range(dice)) for dice in state["dice"]]
    state["bid"] = state["bidder"] = None
    state["seat"] = next_seat(state, first, itself=True)
    news += "".join(f"dice {' '.join(map(str, state['dice']))}\n")
    return position(q, state, [news + f"hand {' '.join(map(str, hand))}\n" if hand else None for hand in state["hands"]])

def over(q, state, left, news):
    # Those that were thrown out of the game earlier have a worse place.
    points = [state["dice"][seat] for seat in range(q["seats"])]
    return {"state": state, "points": points, "view": news + "over\n", "board": board(state)}

def next_seat(state, seat, itself=False):
    seats = len(state["dice"])
    steps = range(0 if itself else 1, seats + 1)
    return next((seat + step) % seats for step in steps if state["dice"][(seat + step) % seats])

def board(state):
    hands = [f"seat {seat + 1}: {' '.join(map(str, hand))}" for seat, hand in enumerate(state.get("hands", []))]
    bid = f"bid: {state['bid'][0]} of {state['bid'][1]}" if state.get("bid") else "no bid"
    return "\n".join(hands + [bid]) + "\n"

def position(q, state, views):
    seat = state["seat"]
    views = [view if state["dice"][at] and at not in q["out"] else None for at, view in enumerate(views)]
    views[seat] = (views[seat] or "") + f"you are {seat + 1}, bid or call\n"
    return {"state": state, "turn": [seat], "views": views, "board": board(state)}

def bids(state):
    most = sum(state["dice"])
    count, face = state["bid"] or (1, 0)
    return [(n, f) for n in range(count, most + 1) for f in range(1, 7) if n > count or f > face]

def legal(state):
    return [f"{n} {f}" for n, f in bids(state)] + (["call"] if state["bid"] else [])

def move(q):
    state, seat, text = q["state"], q["turn"][0], q["moves"][0]
    if text is None:
        # The dice of a seat that is out are gone, and the round with them.
        return deal(q, state, seat, f"seat {seat + 1} forfeits\n")
    text = " ".join(text.split())
    if text not in legal(state):
        return {"illegal": ["answer with a higher bid, such as " + legal(state)[0] + (", or call" if state["bid"] else "")]}
    if text != "call":
        state["bid"], state["bidder"] = [int(word) for word in text.split()], seat
        state["seat"] = next_seat(state, seat)
        news = [f"seat {seat + 1} bids {text}\n"] * q["seats"]
        return {**position(q, state, news), "words": f"bids {text}"}
    count, face = state["bid"]
    there = sum(hand.count(face) for hand in state["hands"])
    loser = seat if there >= count else state["bidder"]
    state["dice"][loser] -= 1
    words = f"{there} of {face} were there, so seat {loser + 1} loses a die"
    return {**deal(q, state, loser, f"seat {seat + 1} calls: {words}\n"), "words": words}

def answer(q):
    if q["ask"] == "hello":
        return {"judge": 1, "game": "bluff", "title": "Bluff", "seats": [2, 4], "legal": True, "unit": "die",
                "prompt": "count and face, such as 2 5, or call",
                "rules": {"dice": {"default": 3, "min": 1, "max": 6, "about": "dice of each player at the start"}}}
    if q["ask"] == "start":
        return start(q)
    if q["ask"] == "legal":
        return {"legal": legal(q["state"])}
    return move(q)

for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
