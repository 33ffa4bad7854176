# A right judge, from which broken ones are made: all players show a card at once, and the highest alone wins the round.
import json, os, random, sys, time

RULES = {"cards": {"default": 4, "min": 2, "max": 6}, "scoring": {"default": "rounds", "choices": ["rounds", "cards"]}}
HELLO = {"judge": 1, "game": "pick", "seats": [2, 3], "legal": True, "picture": True, "boards": True, "longest": 50, "rules": RULES}

def start(q):
    hand = list(range(1, q["rules"]["cards"] + 1))
    if q["board"]:
        if not all(word.isascii() and word.isdigit() and 0 < int(word[:3]) < 100 for word in q["board"].split()) or not q["board"].split():
            return {"error": "a board is a list of cards from 1 to 99"}
        hand = sorted({int(word[:3]) for word in q["board"].split()})
    bonus = random.Random(q["seed"]).randint(1, 1000)
    return position(q, {"hands": [hand] * q["seats"], "won": [0] * q["seats"], "bonus": bonus})

def position(q, state):
    seats = q["seats"]
    left = [seat for seat in range(seats) if seat not in q["out"]]
    turn = [seat for seat in left if state["hands"][seat]]
    text = " ".join(map(str, state["won"])) + f" bonus {state['bonus']}\n"
    if len(left) < 2 or not turn:
        return {"state": state, "points": state["won"], "view": text}
    return {"state": state, "turn": turn, "view": text, "territory": state["won"]}

def wrong(q, seat, text):
    if text is not None and text.strip() not in map(str, q["state"]["hands"][seat]):
        return "show a card that you have"

def move(q):
    illegal = [wrong(q, seat, text) for seat, text in zip(q["turn"], q["moves"])]
    if any(illegal):
        return {"illegal": illegal}
    state, shown = q["state"], {}
    for seat, text in zip(q["turn"], q["moves"]):
        if text is not None:
            card = int(text)
            state["hands"][seat] = [other for other in state["hands"][seat] if other != card]
            shown.setdefault(card, []).append(seat)
    alone = [card for card, seats in shown.items() if len(seats) == 1]
    if alone:
        state["won"][shown[max(alone)][0]] += 1 if q["rules"]["scoring"] == "rounds" else max(alone)
    return position(q, state)

def answer(q):
    if q["ask"] == "hello":
        return HELLO
    if q["ask"] == "start":
        return start(q)
    if q["ask"] == "legal":
        return {"legal": [str(card) for card in q["state"]["hands"][q["seat"]]]}
    if q["ask"] == "picture":
        return {"svg": f"<svg viewBox='0 0 9 9'><text>{q['state']['won']}</text></svg>"}
    return move(q)

for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
