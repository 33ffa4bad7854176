/* The judge of the Boxing Match for two: the game of the field `boxing`, with the same bots, judged by a program. Its state
   is the arena; the turn says who has marked a square last. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 32, HEIGHT = 16, LINE = WIDTH + 1, ARENA = HEIGHT * LINE, BLOCKED = 15 };

static char line[1 << 16];

/* What follows `"name":`. */
static const char *field(const char *name) {
    const char *at = strstr(line, name);
    return at ? at + strlen(name) : "";
}

/* Reads a text into `arena`. Returns whether it has the length of one. */
static int read_arena(const char *text, char *arena) {
    if (*text++ != '"') return 0;
    for (int row = 0; row < HEIGHT; row++, text += WIDTH + 2, arena += LINE) {
        if (text[WIDTH] != '\\' || text[WIDTH + 1] != 'n') return 0;
        memcpy(arena, text, WIDTH);
        arena[WIDTH] = '\n';
    }
    return *text == '"';
}

static void print_arena(const char *name, const char *arena) {
    char text[HEIGHT * (WIDTH + 2)], *end = text;
    for (int row = 0; row < HEIGHT; row++, end += WIDTH + 2) {
        memcpy(end, arena + row * LINE, WIDTH);
        memcpy(end + WIDTH, "\\n", 2);
    }
    printf("\"%s\":\"", name);
    fwrite(text, 1, sizeof text, stdout);
    putchar('"');
}

static void print_position(const char *arena, int seat) {
    print_arena("state", arena);
    putchar(',');
    print_arena("view", arena);
    printf(",\"turn\":[%d]}\n", seat);
}

/* Marks the square of this size at `first`. Returns whether all its spots are vacant. */
static int mark(char *arena, int first, int side, char own) {
    if (side < 1 || first % LINE + side > WIDTH || first / LINE + side > HEIGHT) return 0;
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++) {
            char *spot = &arena[first + row * LINE + column];
            if (*spot != '-') return 0;
            *spot = own;
        }
    return 1;
}

/* Makes the move of the answer, an arena or in notation the first spot and the size. Returns whether it is legal. */
static int make_move(char *arena, const char *answer, char own, int *first, int *side) {
    char wanted[ARENA];
    if (strstr(line, "\"notation\":true"))
        return sscanf(answer, "\"%d %d\"", first, side) == 2 && *first >= 0 && mark(arena, *first, *side, own);
    if (!read_arena(answer, wanted)) return 0;
    int marked = 0;
    for (*first = 0; *first < ARENA && arena[*first] == wanted[*first];) ++*first;
    for (int at = 0; at < ARENA; at++) marked += arena[at] != wanted[at];
    for (*side = 0; *side * *side < marked;) ++*side;
    return mark(arena, *first, *side, own) && memcmp(arena, wanted, ARENA) == 0;
}

static void move(void) {
    char arena[ARENA];
    int seat = *field("\"turn\":[") - '0', points[2] = {0, 0}, first, side;
    const char *answer = field("\"moves\":[");
    if (strncmp(answer, "null", 4) == 0) {
        printf("{\"points\":[%d,%d]}\n", seat, 1 - seat);
        return;
    }
    read_arena(field(",\"state\":"), arena);
    if (!make_move(arena, answer, (char)('A' + seat), &first, &side)) {
        puts("{\"illegal\":[\"mark one square of vacant spots\"]}");
        return;
    }
    printf("{\"moves\":[\"%d %d\"],", first, side);
    if (memchr(arena, '-', ARENA)) {
        print_position(arena, 1 - seat);
    } else {
        for (int at = 0; at < ARENA; at++) points[seat] += arena[at] == 'A' + seat;
        printf("\"points\":[%d,%d],", points[0], points[1]);
        print_arena("view", arena);
        puts("}");
    }
}

static void start(void) {
    char arena[ARENA];
    unsigned random = (unsigned)strtoull(field("\"seed\":"), NULL, 10);
    memset(arena, '-', ARENA);
    for (int row = 0; row < HEIGHT; row++) arena[row * LINE + WIDTH] = '\n';
    for (int blocked = 0; blocked < BLOCKED;) {
        random = random * 1664525u + 1013904223u;
        char *spot = &arena[(random >> 16) % ARENA];
        if (*spot == '-') *spot = 'o', blocked++;
    }
    putchar('{');
    print_position(arena, 0);
}

int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "{\"ask\":\"hello\"", 14) == 0) {
            puts("{\"judge\":1,\"game\":\"boxing-judged\",\"protocol\":\"filter\"}");
        } else if (strncmp(line, "{\"ask\":\"start\"", 14) == 0) {
            start();
        } else {
            move();
        }
        fflush(stdout);
    }
    return 0;
}
