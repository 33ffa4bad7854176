/* The field of Go on 9 by 9: one source for 4 bots that answer at once, written with stdio as most bots are. Black fills
   the four columns on the left, white the four on the right, so that no stone is ever captured; then they pass. The bits
   of ORDER say whether a bot fills its columns from the centre, and from the top. */
#include <stdio.h>

enum { SIZE = 9, COLUMNS = SIZE / 2 };

static void answer(int move, const char *columns) {
    int column = move / SIZE, row = move % SIZE;
    if (ORDER & 1) column = COLUMNS - 1 - column;
    if (ORDER & 2) row = SIZE - 1 - row;
    if (move < COLUMNS * SIZE) printf("%c%d\n", columns[column], row + 1);
    else puts("pass");
    fflush(stdout);
}

int main(int count, char **arguments) {
    char line[80];
    int move = 0, black = count > 1 && arguments[1][0] == 'b';
    if (black) answer(move++, "ABCD");
    while (fgets(line, sizeof line, stdin)) answer(move++, black ? "ABCD" : "JHGF");
    return 0;
}
