/* The fastest possible bot for rock-paper-scissors: it sends its name, then rock once it has the seed and the number of
   rounds, and rock again for each hand of its opponent. */
#include "bare.h"

enum { LONGEST = 256 };

void bot(char **words) {
    (void)words;
    char line[LONGEST];
    long got, lines = 0;
    call(WRITE, 1, (long)"Rock\n", 5);
    while ((got = call(READ, 0, (long)line, LONGEST)) > 0) {
        long before = lines;
        for (long at = 0; at < got; at++) lines += line[at] == '\n';
        if (lines > before && lines > 1) call(WRITE, 1, (long)"0\n", 2);
    }
    call(EXIT, 0, 0, 0);
}
