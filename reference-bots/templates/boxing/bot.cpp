// {{name}} takes the largest square it can find. Run as: ./bot MARK < arena
#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <iostream>

// A line is a row of spots and a line feed.
constexpr int WIDTH = 32, HEIGHT = 16, LINE = WIDTH + 1;

using Arena = std::array<char, HEIGHT * LINE>;

// Whether all spots of the square with its top left corner at (row, col) are vacant.
static bool fits(const Arena &arena, int row, int col, int size) {
    for (int r = row; r < row + size; r++) {
        const auto start = arena.begin() + r * LINE + col;
        if (std::any_of(start, start + size, [](char spot) { return spot != '-'; })) return false;
    }
    return true;
}

// Marks one square in the arena. Make it smarter here.
static void move(Arena &arena, char mark) {
    for (int size = HEIGHT; size > 0; size--)
        for (int row = 0; row + size <= HEIGHT; row++)
            for (int col = 0; col + size <= WIDTH; col++)
                if (fits(arena, row, col, size)) {
                    for (int r = row; r < row + size; r++)
                        std::fill_n(arena.begin() + r * LINE + col, size, mark);
                    return;
                }
}

int main(int argc, char **argv) {
    std::signal(SIGPIPE, SIG_IGN); // writing to a closed pipe then fails below
    Arena arena;
    if (argc < 2 || std::strlen(argv[1]) != 1 || !std::cin.read(arena.data(), arena.size())) {
        std::cerr << "usage: bot MARK < arena of 16 lines of 32\n";
        return 2;
    }
    move(arena, argv[1][0]);
    return std::cout.write(arena.data(), arena.size()).flush() ? 0 : 1;
}
