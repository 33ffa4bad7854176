# Calls whenever it can, and else bids one of what it has.
import sys

bid, hand = False, []
for line in sys.stdin:
    words = line.split()
    if words[0] == "hand":
        bid, hand = False, words[1:]
    elif "bids" in words:
        bid = True
    elif words[0] == "you":
        print("call" if bid else f"1 {hand[-1]}", flush=True)
