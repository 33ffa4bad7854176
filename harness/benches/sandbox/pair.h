/* Bots on pipes, for yardsticks: started with vfork, and read with a poll before each read, as a deadline requires. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DEADLINE = 1000, LONGEST = 4096 };

struct bot { pid_t pid; int to, from; char said[LONGEST]; size_t have; };

static void start(struct bot *bot, char *path) {
    char *arguments[] = {path, NULL}, *environment[] = {NULL};
    int input[2], output[2];
    if (pipe2(input, O_CLOEXEC) < 0 || pipe2(output, O_CLOEXEC) < 0) abort();
    bot->to = input[1];
    bot->from = output[0];
    bot->have = 0;
    bot->pid = vfork();
    if (bot->pid == 0) {
        dup2(input[0], 0);
        dup2(output[1], 1);
        execve(path, arguments, environment);
        _exit(127);
    }
    close(input[0]);
    close(output[1]);
}

static void end(struct bot *bot) {
    close(bot->to);
    close(bot->from);
    waitpid(bot->pid, NULL, 0);
}

static void send_text(struct bot *bot, const char *text, size_t length) {
    if (write(bot->to, text, length) != (ssize_t)length) abort();
}

/* Reads until this many line feeds have arrived. Returns the number of bytes read. */
static size_t receive(struct bot *bot, int lines) {
    size_t seen = 0;
    for (bot->have = 0;;) {
        for (; seen < bot->have; seen++)
            if (bot->said[seen] == '\n' && --lines == 0) return seen + 1;
        struct pollfd ready = {bot->from, POLLIN, 0};
        if (poll(&ready, 1, DEADLINE) != 1) abort();
        ssize_t got = read(bot->from, bot->said + bot->have, LONGEST - bot->have);
        if (got <= 0) abort();
        bot->have += (size_t)got;
    }
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}
