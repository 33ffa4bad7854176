/* The yardstick for line protocols: `lines BOT COUNT` keeps two of BOT and takes so many round trips, by turns: a
   line to one, a line back, with a poll before each read so that a deadline is possible. It prints how many
   nanoseconds all that took. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DEADLINE = 1000 };

struct bot { pid_t pid; int to, from; };

static struct bot start(char *path) {
    char *arguments[] = {path, NULL}, *environment[] = {NULL};
    int input[2], output[2];
    if (pipe2(input, O_CLOEXEC) < 0 || pipe2(output, O_CLOEXEC) < 0) abort();
    struct bot bot = {vfork(), input[1], output[0]};
    if (bot.pid == 0) {
        dup2(input[0], 0);
        dup2(output[1], 1);
        execve(path, arguments, environment);
        _exit(127);
    }
    close(input[0]);
    close(output[1]);
    return bot;
}

static void round_trip(struct bot *bot) {
    const char line[] = "1\n";
    char answer[256];
    size_t have = 0;
    if (write(bot->to, line, strlen(line)) < 0) abort();
    while (have == 0 || answer[have - 1] != '\n') {
        struct pollfd ready = {bot->from, POLLIN, 0};
        if (poll(&ready, 1, DEADLINE) != 1) abort();
        ssize_t got = read(bot->from, answer + have, sizeof answer - have);
        if (got <= 0) abort();
        have += (size_t)got;
    }
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    struct bot bots[2] = {start(arguments[1]), start(arguments[1])};
    struct timespec began, ended;
    clock_gettime(CLOCK_MONOTONIC, &began);
    for (long left = atol(arguments[2]); left > 0; left--) round_trip(&bots[left % 2]);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    for (int seat = 0; seat < 2; seat++) {
        close(bots[seat].to);
        waitpid(bots[seat].pid, NULL, 0);
    }
    printf("%lld\n", (ended.tv_sec - began.tv_sec) * 1000000000LL + (ended.tv_nsec - began.tv_nsec));
}
