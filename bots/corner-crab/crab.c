/* Corner Crab lives along the walls and pinches at the end.
 *
 * It scuttles: of the largest squares it takes the one that touches the most spots that are not vacant,
 * walls included. Snug squares leave one wide room rather than many nooks, and fewer nooks leave less
 * to count later.
 *
 * It pinches: as soon as one move can leave only single spots, and an even number of them, it makes that
 * move. From then on every move takes one spot, and the crab takes the last one.
 *
 * Run as: ./crab MARK < arena > new-arena
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* A line is a row of spots and a line feed. */
enum { WIDTH = 32, HEIGHT = 16, LINE = WIDTH + 1, BYTES = HEIGHT * LINE };

typedef struct { int row, col, size; } Square;

static char arena[BYTES];

/* Whether a spot is vacant; spots beyond the walls are not. */
static int vacant(int row, int col) {
    return row >= 0 && row < HEIGHT && col >= 0 && col < WIDTH && arena[row * LINE + col] == '-';
}

static int fits(Square s) {
    for (int row = s.row; row < s.row + s.size; row++)
        for (int col = s.col; col < s.col + s.size; col++)
            if (!vacant(row, col)) return 0;
    return 1;
}

static void fill(Square s, char mark) {
    for (int row = s.row; row < s.row + s.size; row++)
        memset(&arena[row * LINE + s.col], mark, s.size);
}

/* Advances s to the next square that fits, from the largest down, row by row; returns 0 after the last.
 * The first call takes BEFORE_ALL, one column left of the arena. */
static int next(Square *s) {
    for (;;) {
        if (++s->col + s->size > WIDTH) s->col = 0, s->row++;
        if (s->row + s->size > HEIGHT) s->row = 0, s->size--;
        if (s->size == 0) return 0;
        if (fits(*s)) return 1;
    }
}

static const Square BEFORE_ALL = {0, -1, HEIGHT};

/* How many spots around the square are wall or taken. */
static int snugness(Square s) {
    int touching = 0;
    for (int i = 0; i < s.size; i++)
        touching += !vacant(s.row - 1, s.col + i) + !vacant(s.row + s.size, s.col + i)
                  + !vacant(s.row + i, s.col - 1) + !vacant(s.row + i, s.col + s.size);
    return touching;
}

/* Whether only single spots are left, and an even number of them. */
static int settled(void) {
    int left = 0;
    for (int row = 0; row < HEIGHT; row++)
        for (int col = 0; col < WIDTH; col++) {
            if (fits((Square){row, col, 2})) return 0;
            left += vacant(row, col);
        }
    return left % 2 == 0;
}

static int pinch(Square *choice) {
    for (*choice = BEFORE_ALL; next(choice);) {
        fill(*choice, 'x');
        int good = settled();
        fill(*choice, '-');
        if (good) return 1;
    }
    return 0;
}

static int scuttle(Square *choice) {
    int best = -1;
    for (Square s = BEFORE_ALL; next(&s) && (best < 0 || s.size == choice->size);)
        if (snugness(s) > best) best = snugness(s), *choice = s;
    return best >= 0;
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN); /* writing to a closed pipe then fails below */
    if (argc < 2 || strlen(argv[1]) != 1 || fread(arena, 1, BYTES, stdin) != BYTES) {
        fprintf(stderr, "usage: crab MARK < arena of 16 lines of 32\n");
        return 2;
    }
    Square choice;
    if (pinch(&choice) || scuttle(&choice)) fill(choice, argv[1][0]);
    fwrite(arena, 1, BYTES, stdout);
    return fflush(stdout) == 0 ? 0 : 1;
}
