// {{name}} plays Go at random, but never fills its own eyes. Run as: ./bot black|white [SIZE]
#include <array>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

enum Spot { EMPTY, BLACK, WHITE, EDGE };
// A point is row * LINE + column, both from 1; rows count from the bottom. The border is EDGE points.
constexpr int MOST = 25, LINE = MOST + 2, POINTS = LINE * LINE, PASS = 0;

static const std::string LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"; // the columns; I is skipped
constexpr std::array<int, 4> BESIDE = {1, -1, LINE, -LINE};
constexpr std::array<int, 4> CORNERS = {LINE + 1, LINE - 1, -LINE + 1, -LINE - 1};

static std::array<Spot, POINTS> board;
static int ko = PASS; // the point that ko forbids
static std::mt19937 randomness{std::random_device{}()};

static Spot other(Spot colour) { return colour == BLACK ? WHITE : BLACK; }

struct Group {
    std::vector<int> stones;
    int liberties = 0;
};

// The group of the stone at a point.
static Group group_of(int point) {
    Group group{ {point} };
    std::array<bool, POINTS> seen{};
    seen[point] = true;
    for (std::size_t i = 0; i < group.stones.size(); i++)
        for (int step : BESIDE) {
            const int next = group.stones[i] + step;
            if (seen[next]) continue;
            seen[next] = true;
            if (board[next] == EMPTY) group.liberties++;
            if (board[next] == board[point]) group.stones.push_back(next);
        }
    return group;
}

// Places a stone and removes the stones that it captures.
static void play(int point, Spot colour) {
    std::vector<int> taken;
    board[point] = colour;
    for (int step : BESIDE) {
        if (board[point + step] != other(colour)) continue;
        const Group group = group_of(point + step);
        if (group.liberties > 0) continue;
        for (int stone : group.stones) board[stone] = EMPTY;
        taken.insert(taken.end(), group.stones.begin(), group.stones.end());
    }
    // Ko: a single stone that has captured a single stone may not be captured back at once.
    const Group own = group_of(point);
    ko = taken.size() == 1 && own.stones.size() == 1 && own.liberties == 1 ? taken[0] : PASS;
}

// Whether a stone may be placed there: the point is empty, and the move breaks no ko and is no suicide.
static bool is_legal(int point, Spot colour) {
    if (board[point] != EMPTY || point == ko) return false;
    for (int step : BESIDE) {
        const Spot next = board[point + step];
        if (next == EMPTY) return true;
        if (next == EDGE) continue;
        // It joins a group that has another liberty, or captures one.
        if ((group_of(point + step).liberties > 1) == (next == colour)) return true;
    }
    return false;
}

// Whether the point is a real eye: its neighbours are ours, and the opponent has few of its corners.
static bool is_eye(int point, Spot colour) {
    int foes = 0, edges = 0;
    for (int step : BESIDE)
        if (board[point + step] != colour && board[point + step] != EDGE) return false;
    for (int step : CORNERS) {
        foes += board[point + step] == other(colour);
        edges += board[point + step] == EDGE;
    }
    return edges > 0 ? foes == 0 : foes <= 1;
}

// The point to play, or PASS. Make it smarter here.
static int choose(Spot colour) {
    std::vector<int> good;
    for (int point = 0; point < POINTS; point++)
        if (is_legal(point, colour) && !is_eye(point, colour)) good.push_back(point);
    return good.empty() ? PASS : good[randomness() % good.size()];
}

// Makes a move and prints it. Returns whether it was a pass.
static bool move(Spot colour) {
    const int point = choose(colour);
    if (point == PASS) {
        ko = PASS;
        std::cout << "pass" << std::endl; // `endl` flushes: otherwise the line would stay in the buffer
    } else {
        play(point, colour);
        std::cout << LETTERS[point % LINE - 1] << point / LINE << std::endl;
    }
    return point == PASS;
}

int main(int argc, char **argv) {
    const std::string named = argc > 1 ? argv[1] : "";
    const int size = argc > 2 ? std::atoi(argv[2]) : 19;
    if ((named != "black" && named != "white") || size < 1 || size > MOST) {
        std::cerr << "usage: bot black|white [SIZE]\n";
        return 2;
    }
    const Spot own = named == "black" ? BLACK : WHITE;
    for (int point = 0; point < POINTS; point++) {
        const int row = point / LINE, col = point % LINE;
        board[point] = row < 1 || row > size || col < 1 || col > size ? EDGE : EMPTY;
    }
    bool passed = own == BLACK && move(own); // Black moves first
    for (std::string word; std::cin >> word;) {
        for (char &letter : word) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
        if (word == "TIME") continue; // our time is used up, but this bot is fast anyway
        if (word == "PASS") {
            if (passed) break; // two passes end the game
            ko = PASS;
        } else {
            const std::size_t col = LETTERS.find(word[0]);
            const int row = std::atoi(word.c_str() + 1);
            if (col == std::string::npos || row < 1 || row > size) {
                std::cerr << "cannot understand: " << word << '\n';
                return 2;
            }
            play(row * LINE + static_cast<int>(col) + 1, other(own));
        }
        passed = move(own);
    }
    return 0;
}
