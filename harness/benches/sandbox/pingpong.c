/* The yardstick for engines: `pingpong BOT COUNT` lets two copies of BOT play Go through GTP, in games of 342 moves,
   until COUNT moves are made, not counting the first of each game. It prints how many nanoseconds those took. It does
   not check the rules. */
#include "pair.h"

enum { MOVES = 342 };

static const char OPENING[] = "boardsize 19\nclear_board\nkomi 6.5\ntime_settings 3600 15 1\n";

static long long game(char *path) {
    static struct bot bots[2];
    char message[LONGEST];
    long long began = 0;
    for (int number = 0; number < MOVES; number++) {
        struct bot *own = &bots[number % 2], *opponent = &bots[1 - number % 2];
        int length = 0, responses = 1;
        if (number < 2) {
            start(own, path);
            length += sprintf(message, "%s", OPENING);
            responses += 4;
        }
        if (number > 0) {
            /* The move is between the last response's sign and its line feeds. */
            size_t end = opponent->have - 2, at = end;
            while (opponent->said[at - 1] != ' ') at--;
            length += sprintf(message + length, "play %c %.*s\n", "wb"[number % 2], (int)(end - at), opponent->said + at);
            responses++;
        }
        length += sprintf(message + length, "genmove %c\n", "bw"[number % 2]);
        send_text(own, message, (size_t)length);
        receive(own, 2 * responses);
        if (number == 0) began = now();
    }
    long long took = now() - began;
    for (int seat = 0; seat < 2; seat++) end(&bots[seat]);
    return took;
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    long long took = 0;
    for (long left = atol(arguments[2]); left > 0; left -= MOVES - 1) took += game(arguments[1]);
    printf("%lld\n", took);
}
