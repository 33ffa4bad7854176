/* Expects the opponent to beat this bot's last hand, and beats that. Hands: 0 rock, 1 paper, 2 scissors. */
#include <stdio.h>

int main(void) {
    int seed, rounds, other;
    puts("Second Guess");
    fflush(stdout);
    if (scanf("%d %d", &seed, &rounds) != 2)
        return 1;
    for (int own = seed % 3;; own = (own + 2) % 3) {
        printf("%d\n", own);
        fflush(stdout);
        if (scanf("%d", &other) != 1)
            return 0;
    }
}
