# Names the first vacant cell beside its own, in the order of the board.
import sys

def view():
    head = sys.stdin.readline().split()
    if len(head) != 2 or not head[1].isdigit():
        sys.exit()
    mark, radius = head[0], int(head[1])
    board = {}
    for y in range(-radius, radius + 1):
        row = sys.stdin.readline().split()
        board.update({(x + max(-radius, -radius - y), y): own for x, own in enumerate(row)})
    return mark, radius, board

def free(board, mark):
    steps = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    return [cell for cell, own in board.items() if own == "."
            and any(board.get((cell[0] + dx, cell[1] + dy)) == mark for dx, dy in steps)]

while True:
    mark, radius, board = view()
    x, y = free(board, mark)[0]
    print("abcdefghijklm"[y + radius] + str(x + radius + 1), flush=True)
