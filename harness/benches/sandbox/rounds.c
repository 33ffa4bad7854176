/* The yardstick for rock-paper-scissors: `rounds BOT COUNT` plays COUNT rounds between two copies of BOT, reading a hand
   from each before it sends them the other's, and prints how many nanoseconds the rounds took. */
#include "pair.h"

int main(int count, char **arguments) {
    if (count != 3) return 2;
    long rounds = atol(arguments[2]);
    static struct bot bots[2];
    char opening[64];
    int length = snprintf(opening, sizeof opening, "7\n%ld\n", rounds);
    for (int seat = 0; seat < 2; seat++) {
        start(&bots[seat], arguments[1]);
        receive(&bots[seat], 1);
    }
    long long began = now();
    for (int seat = 0; seat < 2; seat++) send_text(&bots[seat], opening, (size_t)length);
    for (long left = rounds; left > 0; left--) {
        size_t hands[2] = {receive(&bots[0], 1), receive(&bots[1], 1)};
        for (int seat = 0; seat < 2; seat++) send_text(&bots[seat], bots[1 - seat].said, hands[1 - seat]);
    }
    printf("%lld\n", now() - began);
    for (int seat = 0; seat < 2; seat++) end(&bots[seat]);
}
