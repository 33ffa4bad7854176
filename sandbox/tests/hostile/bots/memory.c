/* Uses more memory than allowed. */
#include "hostile.h"

enum { MB = 1 << 20 };

/* Volatile, because nothing reads the memory and the compiler would leave the writes out. */
static void touch(volatile char *taken, size_t bytes) {
    for (size_t at = 0; taken != MAP_FAILED && at < bytes && at < (size_t)640 * MB; at += 4096) {
        taken[at] = 1;
    }
}

static void take(const char *what, size_t bytes, int kind, int fd) {
    char *taken = mmap(NULL, bytes, PROT_READ | PROT_WRITE, kind, fd, 0);
    tried(what, taken == MAP_FAILED ? -1 : 0);
    touch(taken, bytes);
}

static void private_memory(void) { take("take 640 MB", (size_t)640 * MB, MAP_PRIVATE | MAP_ANONYMOUS, -1); }

static void shared_memory(void) { take("share 5 GB", (size_t)5000 * MB, MAP_SHARED | MAP_ANONYMOUS, -1); }

static void memory_in_a_file(void) {
    int fd = (int)syscall(SYS_memfd_create, "much", 0);
    if (fd < 0 || ftruncate(fd, (off_t)640 * MB) < 0) {
        tried("take 640 MB in a file", -1);
        return;
    }
    take("take 640 MB in a file", (size_t)640 * MB, MAP_SHARED, fd);
}

/* None of the children alone has too much. */
static void memory_of_children(void) {
    int ready[2];
    char none;
    if (pipe(ready) < 0) {
        return;
    }
    for (int child = 0; child < 10; child++) {
        if (forked() == 0) {
            touch(mmap(NULL, (size_t)64 * MB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                  (size_t)64 * MB);
            close(ready[1]);
            linger();
        }
    }
    close(ready[1]);
    while (read(ready[0], &none, 1) > 0) {
    }
    /* The pipe closes a moment before a killed child can be waited for. */
    sleep_ms(50);
    errno = ENOMEM;
    tried("take 64 MB in each of ten children", waitpid(-1, NULL, WNOHANG) > 0 ? -1 : 0);
}

const struct behaviour MEMORY[] = {
    {"private-memory", private_memory},
    {"shared-memory", shared_memory},
    {"memory-in-a-file", memory_in_a_file},
    {"memory-of-children", memory_of_children},
    {0},
};
