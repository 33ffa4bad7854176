#include <stdio.h>

/* Beats the opponent's last move; begins with the seed modulo 3. */
int main(void) {
    int seed, rounds, move;
    puts("beats-last in C");
    fflush(stdout);
    if (scanf("%d %d", &seed, &rounds) != 2)
        return 1;
    for (int other = seed + 2;; ) {
        printf("%d\n", (other + 1) % 3);
        fflush(stdout);
        if (scanf("%d", &move) != 1)
            return 0;
        other = move;
    }
}
