/* Uses processor time where it is not easily counted: 350 ms, of which 300 must be reported. The kernel's several
   counters differ a little. */
#include "hostile.h"
#include <time.h>

static void burn(void) {
    struct timespec used;
    do {
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    } while (used.tv_sec == 0 && used.tv_nsec < 350000000);
}

static void burns_itself(void) { burn(); }

static void burns_in_child(void) {
    if (forked() == 0) {
        burn();
        _exit(0);
    }
    wait(NULL);
}

/* Starts a process that burns, and waits by a pipe for its end, never as its parent. */
static void wait_for_burner(int is_orphan) {
    int end[2];
    char none;
    if (pipe(end) < 0) {
        return;
    }
    if (forked() == 0) {
        if (!is_orphan || forked() == 0) {
            burn();
        }
        _exit(0);
    }
    close(end[1]);
    while (read(end[0], &none, 1) > 0) {
    }
    /* The pipe closes a moment before the process has ended. */
    sleep_ms(20);
}

static void burns_in_orphan(void) { wait_for_burner(1); }

static void burns_in_auto_reaped(void) {
    signal(SIGCHLD, SIG_IGN);
    wait_for_burner(0);
}

static void burns_in_leftover(void) {
    int end[2];
    char none;
    if (pipe(end) < 0) {
        return;
    }
    if (forked() == 0) {
        burn();
        close(end[1]);
        linger();
    }
    close(end[1]);
    while (read(end[0], &none, 1) > 0) {
    }
}

const struct behaviour CPU[] = {
    {"burns-itself", burns_itself},
    {"burns-in-child", burns_in_child},
    {"burns-in-orphan", burns_in_orphan},
    {"burns-in-auto-reaped", burns_in_auto_reaped},
    {"burns-in-leftover", burns_in_leftover},
    {0},
};
