#include <iostream>

// Beats the opponent's last move; begins with the seed modulo 3.
int main() {
    std::cout << "beats-last in C++" << std::endl;
    int seed, rounds;
    std::cin >> seed >> rounds;
    for (int move = seed % 3, other; std::cout << move << std::endl, std::cin >> other;)
        move = (other + 1) % 3;
}
