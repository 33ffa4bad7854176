// {{name}} beats the hand that its opponent has shown most often. Run as: ./bot
#include <algorithm>
#include <array>
#include <iostream>
#include <random>

// The hands are 0 rock, 1 paper, 2 scissors. Each is beaten by the next, and scissors by rock.

// The hand for the next round, from how often the opponent has shown each hand. Make it smarter here.
static int choose(const std::array<int, 3> &shown, std::mt19937 &random) {
    if (shown == std::array<int, 3>{}) return static_cast<int>(random() % 3);
    const auto most_often = std::max_element(shown.begin(), shown.end()) - shown.begin();
    return static_cast<int>(most_often + 1) % 3;
}

int main() {
    unsigned seed;
    int rounds, foe;
    std::array<int, 3> shown{}; // how often the opponent has shown each hand
    std::cout << "{{name}}" << std::endl; // the name comes first; `endl` flushes, otherwise it would stay in the buffer
    if (!(std::cin >> seed >> rounds)) return 2;
    std::mt19937 random(seed); // the only source of randomness, so that games can be repeated
    for (int round = 0; round < rounds; round++) {
        std::cout << choose(shown, random) << std::endl;
        if (!(std::cin >> foe)) break; // the game is over
        if (foe < 0 || foe > 2) return 2;
        shown[foe]++;
    }
    return 0;
}
