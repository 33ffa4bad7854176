"""{{name}} beats the hand that its opponent shows most often. Run as: python3 bot.py"""
import random
import sys

# The hands are 0 rock, 1 paper, 2 scissors: each is beaten by the next, and rock beats scissors.


def choose(own, foes):
    """The hand of the next round, from all earlier ones. This is the place to be clever."""
    if not foes:
        return random.randrange(3)
    most_often = max([0, 1, 2], key=foes.count)
    return (most_often + 1) % 3


def say(what):
    print(what, flush=True)  # without the flush the line would stay here


say("{{name}}")  # the name comes first
random.seed(int(input()))  # the only chance there is: games can be played again
rounds = int(input())
own, foes = [], []
for _ in range(rounds):
    own.append(choose(own, foes))
    say(own[-1])
    line = sys.stdin.readline()
    if not line:  # the game is over
        break
    foes.append(int(line))
