"""{{name}} beats the hand that its opponent has shown most often. Run as: python3 bot.py"""
import random
import sys

# The hands are 0 rock, 1 paper, 2 scissors. Each is beaten by the next, and scissors by rock.


def choose(own, foes):
    """The hand for the next round, from all earlier rounds. Make it smarter here."""
    if not foes:
        return random.randrange(3)
    most_often = max([0, 1, 2], key=foes.count)
    return (most_often + 1) % 3


def say(what):
    print(what, flush=True)  # without the flush, the line would stay in the buffer


say("{{name}}")  # the name comes first
random.seed(int(input()))  # the only source of randomness, so that games can be repeated
rounds = int(input())
own, foes = [], []
for _ in range(rounds):
    own.append(choose(own, foes))
    say(own[-1])
    line = sys.stdin.readline()
    if not line:  # the game is over
        break
    foes.append(int(line))
