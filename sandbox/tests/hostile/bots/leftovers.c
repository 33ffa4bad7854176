/* Answers correctly and leaves something running. */
#include "hostile.h"
#include <sched.h>

static void grandchild_holds_stdout(void) {
    if (forked() == 0) {
        linger();
    }
}

static void grandchild_writes_late(void) {
    pid_t bot = getpid();
    if (forked() == 0) {
        while (getppid() == bot) {
            sleep_ms(1);
        }
        sleep_ms(1000);
        for (;;) {
            if (write(1, "late", 4) < 0) {
                linger();
            }
        }
    }
}

static void setsid_daemon(void) {
    if (forked() == 0) {
        setsid();
        if (forked() == 0) {
            close(0), close(1), close(2);
            linger();
        }
        _exit(0);
    }
    wait(NULL);
}

/* Forks in every process at once until there were MOST forks. All processes remain. */
static void bomb(long most) {
    long *made = mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED) {
        return;
    }
    while (__atomic_fetch_add(made, 1, __ATOMIC_RELAXED) < most && forked() >= 0) {
    }
}

static void fork_bomb_after_answering(void) {
    answer();
    if (forked() == 0) {
        bomb(400);
        linger();
    }
}

static void fork_bomb(void) {
    bomb(400);
    linger();
}

/* Each process starts the next one, in another session, and exits. */
static void hydra(void) {
    long until = now_ms() + 3000;
    answer();
    if (forked() == 0) {
        for (int heads = 0; heads < 100000 && now_ms() < until; heads++) {
            setsid();
            pid_t next = fork();
            if (next != 0) {
                _exit(0);
            }
        }
        _exit(0);
    }
}

static void zombies(void) {
    for (int made = 0; made < 200; made++) {
        if (forked() == 0) {
            _exit(0);
        }
    }
}

static void renamed_subreaper(void) {
    int ready[2];
    if (pipe(ready) < 0) {
        return;
    }
    if (forked() == 0) {
        setsid();
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        prctl(PR_SET_NAME, "kworker/0:0");
        memset((char *)own_path, 'k', strlen(own_path));
        if (forked() == 0) {
            if (forked() == 0) {
                linger();
            }
            _exit(0);
        }
        wait(NULL);
        close(ready[1]);
        linger();
    }
    close(ready[1]);
    char none;
    /* Waits until both the child and its orphan exist. The orphan has the pipe open as well, so check it briefly. */
    fcntl(ready[0], F_SETFL, O_NONBLOCK);
    for (int look = 0; look < 20 && read(ready[0], &none, 1) != 0; look++) {
        sleep_ms(5);
    }
}

/* Makes a process that is a child of its own parent. */
static void sibling(void) {
    long made = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (made == 0) {
        linger();
    }
    if (made < 0) {
        tried("clone a sibling", made);
    }
}

const struct behaviour LEFTOVERS[] = {
    {"grandchild-holds-stdout", grandchild_holds_stdout},
    {"grandchild-writes-late", grandchild_writes_late},
    {"setsid-daemon", setsid_daemon},
    {"fork-bomb-after-answering", fork_bomb_after_answering},
    {"fork-bomb", fork_bomb},
    {"hydra", hydra},
    {"zombies", zombies},
    {"renamed-subreaper", renamed_subreaper},
    {"sibling", sibling},
    {0},
};
