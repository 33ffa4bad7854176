/* Writes too much or too little. */
#include "hostile.h"

static void write_for_ever(void) {
    static char chunk[65536];
    memset(chunk, '-', sizeof chunk);
    alarm(120);
    for (;;) {
        if (write(1, chunk, sizeof chunk) < 0 && errno == EBADF) {
            return;
        }
    }
}

static void endless_stdout(void) { write_for_ever(); }

static void endless_stdout_ignoring_sigpipe(void) {
    signal(SIGPIPE, SIG_IGN);
    write_for_ever();
}

static void long_line(void) {
    static char line[4 << 20];
    memset(line, '-', sizeof line);
    for (size_t done = 0; done < sizeof line;) {
        ssize_t more = write(1, line + done, sizeof line - done);
        if (more <= 0) {
            break;
        }
        done += (size_t)more;
    }
    _exit(0);
}

static void one_byte_more(void) {
    answer();
    if (write(1, "\n", 1) != 1) {
        _exit(71);
    }
}

static void first(size_t bytes) {
    const char *all = right_answer();
    _exit(write(1, all, bytes) == (ssize_t)bytes ? 0 : 71);
}

static void nothing(void) { first(0); }
static void hundred_bytes(void) { first(100); }
static void one_byte_less(void) { first(ARENA - 1); }

/* 2 MiB on standard error, all of which is read, and then the answer. */
static void much_stderr(void) {
    static char chunk[65536];
    memset(chunk, 'e', sizeof chunk);
    for (int times = 0; times < 32; times++) {
        if (write(2, chunk, sizeof chunk) < 0) {
            break;
        }
    }
}

const struct behaviour OUTPUTS[] = {
    {"endless-stdout", endless_stdout},
    {"endless-stdout-ignoring-sigpipe", endless_stdout_ignoring_sigpipe},
    {"long-line", long_line},
    {"one-byte-more", one_byte_more},
    {"nothing", nothing},
    {"hundred-bytes", hundred_bytes},
    {"one-byte-less", one_byte_less},
    {"much-stderr", much_stderr},
    {0},
};
