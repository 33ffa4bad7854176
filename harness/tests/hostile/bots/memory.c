/* Takes more memory than it may have. */
#include "hostile.h"

enum { MB = 1 << 20 };

static void take(const char *what, size_t bytes, int kind, int fd) {
    char *taken = mmap(NULL, bytes, PROT_READ | PROT_WRITE, kind, fd, 0);
    tried(what, taken == MAP_FAILED ? -1 : 0);
    for (size_t at = 0; taken != MAP_FAILED && at < bytes && at < (size_t)640 * MB; at += 4096) {
        taken[at] = 1;
    }
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

/* No one of them has too much. */
static void memory_of_children(void) {
    int ready[2];
    char none;
    if (pipe(ready) < 0) {
        return;
    }
    for (int child = 0; child < 10; child++) {
        if (forked() == 0) {
            char *taken = malloc((size_t)64 * MB);
            if (taken) {
                memset(taken, 1, (size_t)64 * MB);
            }
            close(ready[1]);
            linger();
        }
    }
    close(ready[1]);
    tried("take 64 MB in each of ten children", read(ready[0], &none, 1));
}

const struct behaviour MEMORY[] = {
    {"private-memory", private_memory},
    {"shared-memory", shared_memory},
    {"memory-in-a-file", memory_in_a_file},
    {"memory-of-children", memory_of_children},
    {0},
};
