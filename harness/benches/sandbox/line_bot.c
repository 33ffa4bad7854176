/* The smallest possible bot for a line protocol: it echoes each line until its input ends. */
#include "bare.h"

enum { LONGEST = 256 };

void bot(char **words) {
    (void)words;
    char line[LONGEST];
    long have = 0, got;
    while ((got = call(READ, 0, (long)(line + have), LONGEST - have)) > 0) {
        have += got;
        if (line[have - 1] != '\n' && have < LONGEST) continue;
        call(WRITE, 1, (long)line, have);
        have = 0;
    }
    call(EXIT, 0, 0, 0);
}
