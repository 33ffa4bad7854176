/* {{name}} takes the largest square it can find. Run as: ./bot MARK < arena */
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* A line is a row of spots and a line feed. */
enum { WIDTH = 32, HEIGHT = 16, LINE = WIDTH + 1, BYTES = HEIGHT * LINE };

static char arena[BYTES];

/* Whether all spots of the square with its top left corner at (row, col) are vacant. */
static int fits(int row, int col, int size) {
    for (int r = row; r < row + size; r++)
        for (int c = col; c < col + size; c++)
            if (arena[r * LINE + c] != '-') return 0;
    return 1;
}

/* Marks one square in the arena. Make it smarter here. */
static void move(char mark) {
    for (int size = HEIGHT; size > 0; size--)
        for (int row = 0; row + size <= HEIGHT; row++)
            for (int col = 0; col + size <= WIDTH; col++)
                if (fits(row, col, size)) {
                    for (int r = row; r < row + size; r++)
                        memset(&arena[r * LINE + col], mark, size);
                    return;
                }
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN); /* writing to a closed pipe then fails below */
    if (argc < 2 || strlen(argv[1]) != 1 || fread(arena, 1, BYTES, stdin) != BYTES) {
        fprintf(stderr, "usage: bot MARK < arena of 16 lines of 32\n");
        return 2;
    }
    move(argv[1][0]);
    fwrite(arena, 1, BYTES, stdout);
    return fflush(stdout) == 0 ? 0 : 1;
}
