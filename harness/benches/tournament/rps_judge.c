/* The judge of rock-paper-scissors with 50 rounds: the game of the field `rps`, with the same bots, judged by a program. Its
   state is the round and the points of each seat. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 50 };

static char line[1 << 20];

/* What follows `"name":`. */
static const char *field(const char *name) {
    const char *at = strstr(line, name);
    return at ? at + strlen(name) : "";
}

/* The throw of a seat, from 0; -1 if it forfeits, 3 if it is none. */
static int throw_at(const char **at) {
    if (**at == ',') ++*at;
    if (strncmp(*at, "null", 4) == 0) {
        *at += 4;
        return -1;
    }
    const char *text = *at + 1, *end = text;
    while (*end != '"') end += *end == '\\' ? 2 : 1;
    *at = end + 1;
    return end - text == 1 && *text >= '0' && *text <= '2' ? *text - '0' : 3;
}

static void move(void) {
    const char *at = field("\"moves\":[");
    int a = throw_at(&at), b = throw_at(&at);
    if (a == 3 || b == 3) {
        const char *why = "\"answer 0, 1 or 2\"";
        printf("{\"illegal\":[%s,%s]}\n", a == 3 ? why : "null", b == 3 ? why : "null");
        return;
    }
    if (a < 0 || b < 0) {
        printf("{\"points\":[%d,%d]}\n", a < 0 ? 0 : 1, b < 0 ? 0 : 1);
        return;
    }
    int round, won[2];
    sscanf(field(",\"state\":"), "\"%d %d %d\"", &round, &won[0], &won[1]);
    won[0] += (a - b + 3) % 3 == 1;
    won[1] += (b - a + 3) % 3 == 1;
    if (++round == ROUNDS) {
        printf("{\"points\":[%d,%d],\"views\":[\"%d\",\"%d\"]}\n", won[0] - won[1], won[1] - won[0], b, a);
    } else {
        printf("{\"state\":\"%d %d %d\",\"turn\":[0,1],\"views\":[\"%d\",\"%d\"]}\n", round, won[0], won[1], b, a);
    }
}

int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "{\"ask\":\"hello\"", 14) == 0) {
            puts("{\"judge\":1,\"game\":\"rps-judged\"}");
        } else if (strncmp(line, "{\"ask\":\"start\"", 14) == 0) {
            int seed = (int)(strtoull(field("\"seed\":"), NULL, 10) % 1000000);
            printf("{\"state\":\"0 0 0\",\"turn\":[0,1],\"view\":\"%d %d\"}\n", seed, ROUNDS);
        } else {
            move();
        }
        fflush(stdout);
    }
    return 0;
}
