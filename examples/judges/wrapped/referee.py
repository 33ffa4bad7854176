# A referee of whole matches, as other runners have them: rock-paper-scissors by plans of five throws. It prints a rank for each
# player, 0 for the best, or what is wrong with exit status 1.
import random, sys

seed, plans = int(sys.argv[1]), [open(file, encoding="utf-8").read().strip().lower() for file in sys.argv[2:]]
for plan in plans:
    if len(plan) != 5 or set(plan) - set("rps"):
        print("a plan is five throws, each r, p or s")
        sys.exit(1)
won = [sum(("rps".index(a) - "rps".index(b)) % 3 == 1 for a, b in zip(plan, other)) for plan, other in (plans, plans[::-1])]
lucky = random.Random(seed).randrange(2)
scores = [2 * won[0] + (lucky == 0), 2 * won[1] + (lucky == 1)]
print(*(sum(other > score for other in scores) for score in scores))
