# Takes the first vacant spot.
import sys

board = sys.stdin.read()
sys.stdout.write(board.replace(".", sys.argv[1], 1))
