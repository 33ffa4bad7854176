/* Never ends by itself. (The fork bomb is in leftovers.c.) */
#include "hostile.h"

static void sleeps(void) { linger(); }

static void spins(void) {
    alarm(120);
    for (volatile long turns = 0;; turns++) {
    }
}

static void ignores_signals(void) {
    for (int one = 1; one < 65; one++) {
        signal(one, SIG_IGN);
    }
    for (long until = now_ms() + 120000; now_ms() < until;) {
        pause();
    }
}

static void stops_itself(void) { raise(SIGSTOP); }

static void closes_stdout_and_hangs(void) {
    close(1);
    linger();
}

static void answers_and_hangs(void) {
    answer();
    linger();
}

static void partly_answers_and_hangs(void) {
    if (write(1, right_answer(), 100) == 100) {
        linger();
    }
}

static void dribbles(void) {
    const char *all = right_answer();
    for (int spot = 0; spot < ARENA; spot++) {
        if (write(1, all + spot, 1) != 1) {
            break;
        }
        sleep_ms(10);
    }
    linger();
}

/* The parent can neither go on nor handle a signal before the child has executed a program. */
static void vfork_hangs(void) {
    if (vfork() == 0) {
        for (;;) {
            pause();
        }
    }
}

static void endless_stderr(void) {
    static char chunk[65536];
    memset(chunk, 'e', sizeof chunk);
    signal(SIGPIPE, SIG_IGN);
    for (long until = now_ms() + 120000; now_ms() < until;) {
        if (write(2, chunk, sizeof chunk) < 0) {
            linger();
        }
    }
}

/* Reads one byte of a long input, so that the rest does not fit into the pipe. */
static void leaves_input_in_the_pipe(void) {
    char one;
    if (read(0, &one, 1) == 1) {
        linger();
    }
}

const struct behaviour TIMEOUTS[] = {
    {"sleeps", sleeps},
    {"spins", spins},
    {"ignores-signals", ignores_signals},
    {"stops-itself", stops_itself},
    {"closes-stdout-and-hangs", closes_stdout_and_hangs},
    {"answers-and-hangs", answers_and_hangs},
    {"partly-answers-and-hangs", partly_answers_and_hangs},
    {"dribbles", dribbles},
    {"vfork-hangs", vfork_hangs},
    {"endless-stderr", endless_stderr},
    {"leaves-input-in-the-pipe", leaves_input_in_the_pipe},
    {0},
};
