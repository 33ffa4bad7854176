/* One program for all bad bots: `hostile BEHAVIOUR [KEY=VALUE ...] MARK` does one bad thing, then answers correctly. */
#include "hostile.h"
#include <time.h>

char mark;
const char *own_path;

static char **arguments;
static int input_is_read;
static int has_answered;
static char arena[ARENA + 1];

int main(int argc, char **argv) {
    static const struct behaviour *const themes[] = {FINE, LEFTOVERS, STATE,   SIGNALS, NETWORK, KERNEL, ITSELF,
                                                     CPU,  TIMEOUTS,  OUTPUTS, DEATHS,  MEMORY,  CALLS, LASTING,
                                                     THIEVES, BUILDS};
    if (argc < 3) {
        fprintf(stderr, "usage: hostile BEHAVIOUR [KEY=VALUE ...] MARK\n");
        return 64;
    }
    own_path = argv[0];
    arguments = argv;
    mark = argv[argc - 1][0];
    for (size_t theme = 0; theme < sizeof themes / sizeof *themes; theme++) {
        for (const struct behaviour *one = themes[theme]; one->name; one++) {
            if (strcmp(one->name, argv[1]) == 0) {
                one->act();
                answer();
                return 0;
            }
        }
    }
    fprintf(stderr, "no behaviour is named %s\n", argv[1]);
    return 64;
}

const char *given(const char *key) {
    size_t length = strlen(key);
    for (char **one = arguments; *one; one++) {
        if (strncmp(*one, key, length) == 0 && (*one)[length] == '=') {
            return *one + length + 1;
        }
    }
    fprintf(stderr, "the argument %s= is missing\n", key);
    _exit(70);
}

int given_number(const char *key) { return atoi(given(key)); }

const char *named(const char *prefix, const char *suffix) {
    static char path[4096];
    snprintf(path, sizeof path, "%s%s%s", prefix, given("marker"), suffix);
    return path;
}

const char *state_path(void) {
    static char path[] = "/tmp/arena.?";
    path[sizeof path - 2] = mark;
    return path;
}

void never_read_input(void) { input_is_read = 1; }

const char *right_answer(void) {
    size_t had = 0;
    while (!input_is_read && had < ARENA) {
        ssize_t more = read(0, arena + had, ARENA - had);
        if (more <= 0) {
            break;
        }
        had += (size_t)more;
    }
    input_is_read = 1;
    if (had == 0 && arena[0] == 0) {
        for (int spot = 0; spot < ARENA; spot++) {
            arena[spot] = spot % 33 == 32 ? '\n' : '-';
        }
    }
    char *vacant = strchr(arena, '-');
    if (vacant && !memchr(arena, mark, ARENA)) {
        *vacant = mark;
    }
    return arena;
}

void answer(void) {
    if (has_answered) {
        return;
    }
    has_answered = 1;
    const char *all = right_answer();
    for (size_t done = 0; done < ARENA;) {
        ssize_t more = write(1, all + done, ARENA - done);
        if (more > 0) {
            done += (size_t)more;
        } else if (errno != EAGAIN && errno != EINTR) {
            return;
        }
    }
}

void tried(const char *what, long result) {
    if (result < 0) {
        dprintf(2, "tried %s: refused (%d, %s)\n", what, errno, strerror(errno));
    } else {
        dprintf(2, "tried %s: succeeded\n", what);
    }
}

pid_t forked(void) {
    pid_t pid = fork();
    if (pid == 0) {
        alarm(120);
    }
    return pid;
}

void linger(void) {
    alarm(120);
    for (;;) {
        pause();
    }
}

long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void sleep_ms(long ms) {
    struct timespec left = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&left, &left) < 0 && errno == EINTR) {
    }
}
