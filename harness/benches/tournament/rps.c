/* The field of rock-paper-scissors: one source for 24 bots, written with stdio as most published bots are. STRATEGY is
   one of six. ENDS is what the bot does once the rounds are over: 0, it exits; 1, it sleeps until it is killed; 2, it
   reads on, and spins when its input ends. NAME is the line by which it introduces itself, if it does. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int seed, rounds, own = 0, other = 0, seen[3] = {0, 0, 0};
#ifdef NAME
    puts(NAME);
    fflush(stdout);
#endif
    if (scanf("%d %d", &seed, &rounds) != 2) return 1;
    unsigned random = (unsigned)seed * 2654435761u + STRATEGY;
    for (int round = 0; ENDS == 2 || round < rounds; round++) {
        random = random * 1664525u + 1013904223u;
        switch (STRATEGY) {
        case 0: own = seed % 3; break;
        case 1: own = round % 3; break;
        case 2: own = (other + 1) % 3; break;
        case 3: own = other; break;
        case 4: own = (int)(random >> 16) % 3; break;
        case 5: own = ((seen[1] > seen[0] ? 1 : 0) + 1) % 3; break;
        }
        printf("%d\n", own);
        fflush(stdout);
        while (scanf("%d", &other) != 1)
            if (ENDS != 2) return 0;
        seen[other]++;
    }
    while (ENDS == 1) pause();
    return 0;
}
