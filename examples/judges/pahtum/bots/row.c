// Takes the vacant spot with the most own neighbours in its row and column.
#include <stdio.h>

static char board[7][9];

static int own(int row, int column, char mark) {
    return row >= 0 && row < 7 && column >= 0 && column < 7 && board[row][column] == mark;
}

int main(int argc, char **argv) {
    char mark = argv[argc - 1][0];
    int best = -1, best_row = 0, best_column = 0;
    for (int row = 0; row < 7; row++) {
        if (!fgets(board[row], sizeof board[row], stdin)) return 1;
    }
    for (int row = 0; row < 7; row++) {
        for (int column = 0; column < 7; column++) {
            if (board[row][column] != '.') continue;
            int value = own(row - 1, column, mark) + own(row + 1, column, mark) + own(row, column - 1, mark) + own(row, column + 1, mark);
            if (value > best) best = value, best_row = row, best_column = column;
        }
    }
    board[best_row][best_column] = mark;
    for (int row = 0; row < 7; row++) fputs(board[row], stdout);
    return 0;
}
