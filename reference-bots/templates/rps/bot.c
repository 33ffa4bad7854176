/* {{name}} beats the hand that its opponent has shown most often. Run as: ./bot */
#include <stdio.h>
#include <stdlib.h>

/* The hands are 0 rock, 1 paper, 2 scissors. Each is beaten by the next, and scissors by rock. */

/* How often the opponent has shown each hand. */
static int shown[3];

/* The hand for the next round. Make it smarter here. */
static int choose(int round) {
    int most_often = 0;
    if (round == 0) return rand() % 3;
    for (int hand = 1; hand < 3; hand++)
        if (shown[hand] > shown[most_often]) most_often = hand;
    return (most_often + 1) % 3;
}

int main(void) {
    unsigned seed;
    int rounds, foe;
    setvbuf(stdout, NULL, _IOLBF, 0); /* flush after every line */
    printf("{{name}}\n");             /* the name comes first */
    if (scanf("%u %d", &seed, &rounds) != 2) return 2;
    srand(seed); /* the only source of randomness, so that games can be repeated */
    for (int round = 0; round < rounds; round++) {
        printf("%d\n", choose(round));
        if (scanf("%d", &foe) != 1) break; /* the game is over */
        if (foe < 0 || foe > 2) return 2;
        shown[foe]++;
    }
    return 0;
}
