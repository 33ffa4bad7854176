#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char arena[528];
    if (argc < 2 || fread(arena, 1, sizeof arena, stdin) != sizeof arena) return 1;
    char *vacant = memchr(arena, '-', sizeof arena);
    if (vacant) *vacant = argv[1][0];
    return fwrite(arena, 1, sizeof arena, stdout) != sizeof arena;
}
