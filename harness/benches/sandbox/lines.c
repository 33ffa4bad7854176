/* The yardstick for line protocols: `lines BOT COUNT` starts two copies of BOT and makes COUNT round trips, by turns: a
   line to one, a line back, with a poll before each read, as a deadline requires. It prints how many nanoseconds they
   took. */
#include "pair.h"

int main(int count, char **arguments) {
    if (count != 3) return 2;
    static struct bot bots[2];
    for (int seat = 0; seat < 2; seat++) start(&bots[seat], arguments[1]);
    long long began = now();
    for (long left = atol(arguments[2]); left > 0; left--) {
        struct bot *bot = &bots[left % 2];
        send_text(bot, "1\n", 2);
        receive(bot, 1);
    }
    printf("%lld\n", now() - began);
    for (int seat = 0; seat < 2; seat++) end(&bots[seat]);
}
