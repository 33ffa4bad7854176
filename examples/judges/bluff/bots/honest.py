# Believes a bid if its own dice and a third of all others make it likely; bids what it believes.
import sys

bid, hand, dice = None, [], 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "dice":
        dice = sum(map(int, words[1:]))
    elif words[0] == "hand":
        bid, hand = None, [int(word) for word in words[1:]]
    elif "bids" in words:
        bid = (int(words[3]), int(words[4]))
    elif words[0] == "you":
        expected = lambda face: hand.count(face) + (dice - len(hand)) / 6
        higher = [(n, f) for n in range(1, dice + 1) for f in range(1, 7) if bid is None or (n, f) > bid and n >= bid[0]]
        likely = [it for it in higher if expected(it[1]) >= it[0]]
        if likely or bid is None:
            print(*(likely or higher)[0], flush=True)
        else:
            print("call", flush=True)
