/* Ends in other ways than by returning from main. */
#include "hostile.h"
#include <sys/resource.h>

static void exits_3(void) {
    answer();
    _exit(3);
}

static void segfaults(void) {
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}

static void aborts(void) { abort(); }

static void kills_itself(void) { kill(getpid(), SIGKILL); }

/* Standard error is read up to a limit and then closed, which kills a bot that does not expect it. */
static void dies_of_stderr(void) {
    static char chunk[65536];
    memset(chunk, 'e', sizeof chunk);
    for (long times = 0; times < 20000 && write(2, chunk, sizeof chunk) > 0; times++) {
    }
}

static void dumps_core(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_CORE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_CORE, &limit);
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    tried("have core dumps", setrlimit(RLIMIT_CORE, &all));
    abort();
}

const struct behaviour DEATHS[] = {
    {"exits-3", exits_3},
    {"segfaults", segfaults},
    {"aborts", aborts},
    {"kills-itself", kills_itself},
    {"dies-of-stderr", dies_of_stderr},
    {"dumps-core", dumps_core},
    {0},
};
