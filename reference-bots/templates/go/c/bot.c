/* {{name}} plays Go at random, but leaves its own eyes alone. Run as: ./bot black|white [SIZE] */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum { EMPTY, BLACK, WHITE, EDGE };
/* A point is row * LINE + column, both from 1, the rows from the bottom: there is an edge all around. */
enum { MOST = 25, LINE = MOST + 2, POINTS = LINE * LINE, PASS = 0 };

static const char letters[] = "ABCDEFGHJKLMNOPQRSTUVWXYZ"; /* the columns: there is no I */
static const int beside[4] = {1, -1, LINE, -LINE};
static const int corner[4] = {LINE + 1, LINE - 1, -LINE + 1, -LINE - 1};

static int size = 19;
static int board[POINTS];
static int ko; /* where nobody may play just now */

static int other(int colour) { return BLACK + WHITE - colour; }

/* The group that was looked at last. */
static int stones[POINTS], stone_count;

/* Looks at the group of the stone at a point: how many liberties it has. */
static int liberties(int point) {
    char seen[POINTS] = {0};
    int count = 0;
    stones[0] = point;
    stone_count = 1;
    seen[point] = 1;
    for (int i = 0; i < stone_count; i++)
        for (int d = 0; d < 4; d++) {
            int next = stones[i] + beside[d];
            if (seen[next]) continue;
            seen[next] = 1;
            if (board[next] == EMPTY) count++;
            if (board[next] == board[point]) stones[stone_count++] = next;
        }
    return count;
}

/* Places a stone and takes what it captures. */
static void play(int point, int colour) {
    int taken = 0, last = 0;
    board[point] = colour;
    for (int d = 0; d < 4; d++) {
        int next = point + beside[d];
        if (board[next] != other(colour) || liberties(next) > 0) continue;
        for (int i = 0; i < stone_count; i++) board[last = stones[i]] = EMPTY;
        taken += stone_count;
    }
    /* Ko: a single stone that has taken a single one may not be taken back at once. */
    ko = taken == 1 && liberties(point) == 1 && stone_count == 1 ? last : 0;
}

/* Whether the point is free, and the stone there would neither break ko nor be without liberties. */
static int is_legal(int point, int colour) {
    if (board[point] != EMPTY || point == ko) return 0;
    for (int d = 0; d < 4; d++) {
        int next = point + beside[d];
        if (board[next] == EMPTY) return 1;
        if (board[next] == EDGE) continue;
        /* It joins a group that can breathe, or captures one. */
        if ((liberties(next) > 1) == (board[next] == colour)) return 1;
    }
    return 0;
}

/* Whether all beside the point is ours, and so few corners are the opponent's that it cannot become false. */
static int is_eye(int point, int colour) {
    int foes = 0, edges = 0;
    for (int d = 0; d < 4; d++) {
        if (board[point + beside[d]] != colour && board[point + beside[d]] != EDGE) return 0;
        foes += board[point + corner[d]] == other(colour);
        edges += board[point + corner[d]] == EDGE;
    }
    return edges > 0 ? foes == 0 : foes <= 1;
}

/* The point to play, or PASS. This is the place to be clever. */
static int choose(int colour) {
    int good[POINTS], count = 0;
    for (int point = 0; point < POINTS; point++)
        if (is_legal(point, colour) && !is_eye(point, colour)) good[count++] = point;
    return count > 0 ? good[rand() % count] : PASS;
}

/* Makes a move and says which. Returns whether it was a pass. */
static int move(int colour) {
    int point = choose(colour);
    if (point == PASS) {
        ko = 0;
        printf("pass\n");
    } else {
        play(point, colour);
        printf("%c%d\n", letters[point % LINE - 1], point / LINE);
    }
    return point == PASS;
}

int main(int argc, char **argv) {
    char line[100];
    int own = argc > 1 && strcmp(argv[1], "white") == 0 ? WHITE : BLACK;
    if (argc > 2) size = atoi(argv[2]);
    if (argc < 2 || (own == BLACK && strcmp(argv[1], "black") != 0) || size < 1 || size > MOST) {
        fprintf(stderr, "usage: bot black|white [SIZE]\n");
        return 2;
    }
    for (int point = 0; point < POINTS; point++) {
        int row = point / LINE, col = point % LINE;
        board[point] = row < 1 || row > size || col < 1 || col > size ? EDGE : EMPTY;
    }
    srand((unsigned)time(NULL) ^ (unsigned)getpid());
    setvbuf(stdout, NULL, _IOLBF, 0);        /* every line is sent when it ends */
    int passed = own == BLACK && move(own); /* black speaks first */
    while (scanf("%99s", line) == 1) {
        const char *letter = strchr(letters, toupper(line[0]));
        int row = atoi(line + 1);
        if (strcasecmp(line, "time") == 0) continue; /* the time is used up; this bot is quick anyway */
        if (strcasecmp(line, "pass") == 0) {
            if (passed) break; /* two passes end the game */
            ko = 0;
        } else if (letter && row >= 1 && row <= size) {
            play(row * LINE + (int)(letter - letters) + 1, other(own));
        } else {
            fprintf(stderr, "not understood: %s\n", line);
            return 2;
        }
        passed = move(own);
    }
    return 0;
}
