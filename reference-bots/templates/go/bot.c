/* {{name}} plays Go at random, but never fills its own eyes. Run as: ./bot black|white [SIZE] */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum { EMPTY, BLACK, WHITE, EDGE };
/* A point is row * LINE + column, both from 1; rows count from the bottom. The border is EDGE points. */
enum { MOST = 25, LINE = MOST + 2, POINTS = LINE * LINE, PASS = 0 };

static const char letters[] = "ABCDEFGHJKLMNOPQRSTUVWXYZ"; /* the columns; I is skipped */
static const int beside[4] = {1, -1, LINE, -LINE};
static const int corner[4] = {LINE + 1, LINE - 1, -LINE + 1, -LINE - 1};

static int size = 19;
static int board[POINTS];
static int ko; /* the point that ko forbids */

static int other(int colour) { return BLACK + WHITE - colour; }

/* The stones of the group that `liberties` looked at last. */
static int stones[POINTS], stone_count;

/* Finds the group of the stone at a point, and returns how many liberties it has. */
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

/* Places a stone and removes the stones that it captures. */
static void play(int point, int colour) {
    int taken = 0, last = 0;
    board[point] = colour;
    for (int d = 0; d < 4; d++) {
        int next = point + beside[d];
        if (board[next] != other(colour) || liberties(next) > 0) continue;
        for (int i = 0; i < stone_count; i++) board[last = stones[i]] = EMPTY;
        taken += stone_count;
    }
    /* Ko: a single stone that has captured a single stone may not be captured back at once. */
    ko = taken == 1 && liberties(point) == 1 && stone_count == 1 ? last : 0;
}

/* Whether a stone may be placed there: the point is empty, and the move breaks no ko and is no suicide. */
static int is_legal(int point, int colour) {
    if (board[point] != EMPTY || point == ko) return 0;
    for (int d = 0; d < 4; d++) {
        int next = point + beside[d];
        if (board[next] == EMPTY) return 1;
        if (board[next] == EDGE) continue;
        /* It joins a group that has another liberty, or captures one. */
        if ((liberties(next) > 1) == (board[next] == colour)) return 1;
    }
    return 0;
}

/* Whether the point is a real eye: its neighbours are ours, and the opponent has few of its corners. */
static int is_eye(int point, int colour) {
    int foes = 0, edges = 0;
    for (int d = 0; d < 4; d++) {
        if (board[point + beside[d]] != colour && board[point + beside[d]] != EDGE) return 0;
        foes += board[point + corner[d]] == other(colour);
        edges += board[point + corner[d]] == EDGE;
    }
    return edges > 0 ? foes == 0 : foes <= 1;
}

/* The point to play, or PASS. Make it smarter here. */
static int choose(int colour) {
    int good[POINTS], count = 0;
    for (int point = 0; point < POINTS; point++)
        if (is_legal(point, colour) && !is_eye(point, colour)) good[count++] = point;
    return count > 0 ? good[rand() % count] : PASS;
}

/* Makes a move and prints it. Returns whether it was a pass. */
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
    setvbuf(stdout, NULL, _IOLBF, 0);        /* flush after every line */
    int passed = own == BLACK && move(own); /* Black moves first */
    while (scanf("%99s", line) == 1) {
        const char *letter = strchr(letters, toupper(line[0]));
        int row = atoi(line + 1);
        if (strcasecmp(line, "time") == 0) continue; /* our time is used up, but this bot is fast anyway */
        if (strcasecmp(line, "pass") == 0) {
            if (passed) break; /* two passes end the game */
            ko = 0;
        } else if (letter && row >= 1 && row <= size) {
            play(row * LINE + (int)(letter - letters) + 1, other(own));
        } else {
            fprintf(stderr, "cannot understand: %s\n", line);
            return 2;
        }
        passed = move(own);
    }
    return 0;
}
