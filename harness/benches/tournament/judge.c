/* The yardstick for tournaments: `judge SCRIPT ANSWERS CORE...` plays the games of SCRIPT with one process for each CORE,
   pinned to it, and prints how many games it played and how many bytes the bots wrote. With ANSWERS other than "-", all
   that they wrote is written to this file.

   It knows no game. The script says which bytes each bot is sent and how much it answers, so that the yardstick judges
   no move, draws no board, keeps no clock and records nothing: it is faster than any real referee written in C. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SEATS = 9, LONGEST = 1 << 16 };

/* START runs command `value` in the seat, unless it runs there: the judge of a game, which follows the bots; SEND writes `length` bytes to it; READ waits for `value` lines from it; MOVE
   runs command `value`, writes it `length` bytes and reads until its end; END kills the first `value` bots of the game. */
enum { START = 'S', SEND = 'W', READ = 'R', MOVE = 'M', END = 'E' };

struct step { uint8_t kind, seat; uint16_t value; uint32_t length; };

struct bot { pid_t pid; int to, from; size_t have; char said[LONGEST]; };

/* Shared by all processes of the yardstick. */
static struct { uint32_t next, games, bytes; } *shared;

static const char *script;
static uint32_t games;
static const char *offsets;
static char ***commands;
static struct bot bots[SEATS];
static FILE *answers;

static char *environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp", "TMPDIR=/tmp", "LANG=C.UTF-8", NULL};

static void fail(const char *what) {
    perror(what);
    _exit(1);
}

static uint32_t number(const char *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static void start(struct bot *bot, char **command) {
    int input[2], output[2];
    if (pipe2(input, O_CLOEXEC) < 0 || pipe2(output, O_CLOEXEC) < 0) fail("pipe");
    bot->pid = vfork();
    if (bot->pid < 0) fail("vfork");
    if (bot->pid == 0) {
        dup2(input[0], 0);
        dup2(output[1], 1);
        execve(command[0], command, environment);
        _exit(127);
    }
    close(input[0]);
    close(output[1]);
    bot->to = input[1];
    bot->from = output[0];
    bot->have = 0;
}

/* A bot that has ended need not read what it is sent: only its answers count. */
static void send_bytes(struct bot *bot, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = write(bot->to, bytes, length);
        if (sent <= 0) return;
        bytes += sent;
        length -= (size_t)sent;
    }
}

/* Reads once. Returns 0 at the end of the bot's output. */
static size_t receive(struct bot *bot) {
    if (bot->have == LONGEST) fail("a bot that writes too much");
    ssize_t got = read(bot->from, bot->said + bot->have, LONGEST - bot->have);
    if (got < 0) fail("read");
    bot->have += (size_t)got;
    return (size_t)got;
}

/* Takes the first `length` bytes of what the bot wrote. */
static void take(struct bot *bot, size_t length) {
    __atomic_fetch_add(&shared->bytes, (uint32_t)length, __ATOMIC_RELAXED);
    if (answers) {
        uint32_t size = (uint32_t)length;
        fwrite(&size, sizeof size, 1, answers);
        fwrite(bot->said, 1, length, answers);
    }
    bot->have -= length;
    if (bot->have > 0) memmove(bot->said, bot->said + length, bot->have);
}

static void read_lines(struct bot *bot, unsigned lines) {
    for (size_t seen = 0;;) {
        for (const char *end; (end = memchr(bot->said + seen, '\n', bot->have - seen));) {
            seen = (size_t)(end - bot->said) + 1;
            if (--lines == 0) {
                take(bot, seen);
                return;
            }
        }
        seen = bot->have;
        if (receive(bot) == 0) fail("a bot that ended early");
    }
}

static void move(struct bot *bot, char **command, const char *view, size_t length) {
    start(bot, command);
    send_bytes(bot, view, length);
    close(bot->to);
    while (receive(bot) > 0) {}
    close(bot->from);
    int status;
    if (waitpid(bot->pid, &status, 0) != bot->pid || status != 0) fail("a bot that failed");
    bot->pid = 0;
    take(bot, bot->have);
}

/* Kills first and closes then, because some bots spin when their input ends. */
static void end(int count) {
    for (int seat = 0; seat < count; seat++)
        if (bots[seat].pid > 0) kill(bots[seat].pid, SIGKILL);
    for (int seat = 0; seat < count; seat++)
        if (bots[seat].pid > 0) {
            waitpid(bots[seat].pid, NULL, 0);
            close(bots[seat].to);
            close(bots[seat].from);
            bots[seat].pid = 0;
        }
}

static void play(const char *at) {
    for (struct step step;; at += step.length) {
        memcpy(&step, at, sizeof step);
        at += sizeof step;
        struct bot *bot = &bots[step.seat];
        switch (step.kind) {
        case START: if (bot->pid == 0) start(bot, commands[step.value]); break;
        case SEND: send_bytes(bot, at, step.length); break;
        case READ: read_lines(bot, step.value); break;
        case MOVE: move(bot, commands[step.value], at, step.length); break;
        case END: end(step.value); return;
        default: fail("a script");
        }
    }
}

/* Plays games until none is left. */
static void work(int core) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(core, &only);
    if (sched_setaffinity(0, sizeof only, &only) < 0) fail("sched_setaffinity");
    for (uint32_t game; (game = __atomic_fetch_add(&shared->next, 1, __ATOMIC_RELAXED)) < games;) {
        play(script + number(offsets + 4 * game));
        __atomic_fetch_add(&shared->games, 1, __ATOMIC_RELAXED);
    }
    end(SEATS);
    if (answers) fflush(answers);
    _exit(0);
}

/* A handler, which unlike SIG_IGN is not inherited by the bots. */
static void ignore(int signal) { (void)signal; }

/* Reads the head of the script: the commands, and where each game begins. */
static void open_script(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (file < 0 || fstat(file, &about) < 0) fail(path);
    char *at = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (at == MAP_FAILED) fail(path);
    script = at;
    uint32_t count = number(at);
    commands = malloc(count * sizeof *commands);
    at += 4;
    for (uint32_t command = 0; command < count; command++) {
        uint32_t words = number(at);
        at += 4;
        commands[command] = malloc((words + 1) * sizeof **commands);
        for (uint32_t word = 0; word < words; word++, at += strlen(at) + 1) commands[command][word] = at;
        commands[command][words] = NULL;
    }
    games = number(at);
    offsets = at + 4;
}

int main(int count, char **arguments) {
    if (count < 4) return 2;
    struct sigaction on_closed_pipe = {.sa_handler = ignore};
    sigaction(SIGPIPE, &on_closed_pipe, NULL);
    open_script(arguments[1]);
    if (strcmp(arguments[2], "-") != 0 && !(answers = fopen(arguments[2], "we"))) fail(arguments[2]);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) fail("mmap");
    for (int worker = 3; worker < count; worker++) {
        pid_t pid = fork();
        if (pid < 0) fail("fork");
        if (pid == 0) work(atoi(arguments[worker]));
    }
    int failed = 0, status;
    while (wait(&status) > 0) failed |= status;
    printf("%u %u\n", shared->games, shared->bytes);
    return failed != 0;
}
