// The judge of {{name}}: heaps of objects; who takes the last object wins. `{{command}} help judge.md` shows the protocol.
// It needs no JSON library: questions have no white space outside texts, and fields come in a fixed order.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using Heaps = std::vector<int>;

// What follows `"name":` in the question. The first such place is the field, whatever a bot has answered.
static std::string field(const std::string& question, const std::string& name) {
    size_t at = question.find("\"" + name + "\":");
    return at == std::string::npos ? "" : question.substr(at + name.size() + 3);
}

// The text that begins with a quote, without its quotes; anything that is escaped becomes a question mark.
static std::string text(const std::string& from) {
    std::string result;
    for (size_t at = 1; at < from.size() && from[at] != '"'; at++) {
        if (from[at] == '\\') {
            at++;
            result += std::string("tnr").find(from[at]) != std::string::npos ? ' ' : '?';
        } else {
            result += from[at];
        }
    }
    return result;
}

// The numbers in a text; false if there is anything else, or a number of more than three digits.
static bool numbers(const std::string& from, Heaps& all) {
    std::istringstream words(from);
    for (std::string word; words >> word;) {
        if (word.size() > 3 || !std::all_of(word.begin(), word.end(), [](char c) { return '0' <= c && c <= '9'; })) return false;
        all.push_back(std::stoi(word));
    }
    return true;
}

static std::string position(const Heaps& heaps, int seat) {
    std::string board;
    for (int heap : heaps) board += (board.empty() ? "" : " ") + std::to_string(heap);
    if (std::all_of(heaps.begin(), heaps.end(), [](int heap) { return heap == 0; })) {
        // The seat before took the last object.
        return std::string("{\"points\":") + (seat == 1 ? "[1,0]" : "[0,1]") + ",\"view\":\"" + board + "\"}";
    }
    return "{\"state\":\"" + board + "\",\"turn\":[" + std::to_string(seat) + "],\"view\":\"" + board + "\"}";
}

static std::string start(const std::string& question) {
    Heaps heaps;
    std::string board = text(field(question, "board"));
    if (!board.empty()) {
        if (!numbers(board, heaps) || std::count(heaps.begin(), heaps.end(), 0) == (long)heaps.size()) {
            return "{\"error\":\"a board is a list of numbers, such as 3 4 5\"}";
        }
        return position(heaps, 0);
    }
    std::mt19937_64 chance(std::stoull(field(question, "seed")));
    int most = std::stoi(field(question, "most"));
    for (int n = std::stoi(field(question, "heaps")); n > 0; n--) heaps.push_back(1 + chance() % most);
    return position(heaps, 0);
}

static std::string legal(const Heaps& heaps) {
    std::string moves;
    for (size_t heap = 0; heap < heaps.size(); heap++) {
        for (int count = 1; count <= heaps[heap]; count++) {
            moves += (moves.empty() ? "\"" : ",\"") + std::to_string(heap + 1) + " " + std::to_string(count) + "\"";
        }
    }
    return "{\"legal\":[" + moves + "]}";
}

static std::string play(const std::string& question) {
    int seat = field(question, "turn")[1] - '0';
    std::string given = field(question, "moves").substr(1);
    if (given[0] != '"') {
        // A forfeit: the other seat wins.
        return std::string("{\"points\":") + (seat == 1 ? "[1,0]" : "[0,1]") + "}";
    }
    Heaps heaps, typed;
    numbers(text(question.substr(question.rfind(",\"state\":") + 9)), heaps);
    bool right = numbers(text(given), typed) && typed.size() == 2 && typed[0] >= 1 && typed[0] <= (int)heaps.size();
    if (!right || typed[1] < 1 || typed[1] > heaps[typed[0] - 1]) {
        return "{\"illegal\":[\"answer with a heap and a count that it has, such as 2 3\"]}";
    }
    heaps[typed[0] - 1] -= typed[1];
    std::string answer = position(heaps, 1 - seat);
    answer.pop_back();
    // 02 and 2 are the same move, so it is written in one way.
    return answer + ",\"moves\":[\"" + std::to_string(typed[0]) + " " + std::to_string(typed[1]) + "\"]}";
}

int main() {
    for (std::string question; std::getline(std::cin, question);) {
        std::string ask = text(field(question, "ask"));
        if (ask == "hello") {
            std::cout << R"({"judge":1,"game":"{{name}}","legal":true,"boards":true,"prompt":"heap and count, such as 2 3",)"
                      << R"("rules":{"heaps":{"default":3,"min":1,"max":9,"about":"heaps at the start"},)"
                      << R"("most":{"default":9,"min":1,"max":99,"about":"the most objects of a heap"}}})";
        } else if (ask == "start") {
            std::cout << start(question);
        } else if (ask == "legal") {
            Heaps heaps;
            numbers(text(question.substr(question.rfind(",\"state\":") + 9)), heaps);
            std::cout << legal(heaps);
        } else {
            std::cout << play(question);
        }
        std::cout << std::endl;
    }
}
