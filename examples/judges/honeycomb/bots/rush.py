# Names the vacant cell beside its own that is nearest to the middle; of several, one by its mark.
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
    middle = sorted(free(board, mark), key=lambda cell: max(abs(cell[0]), abs(cell[1]), abs(sum(cell))))
    x, y = middle[ord(mark) % min(2, len(middle))]
    print("abcdefghijklm"[y + radius] + str(x + radius + 1), flush=True)
