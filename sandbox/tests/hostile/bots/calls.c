/* Makes system calls that are on no list of allowed ones, or with arguments that are on none. */
#include "hostile.h"
#include <mqueue.h>
#include <sched.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <time.h>

/* Tries to learn what other programs do with files. */
static void watches_files(void) {
    int own = open(own_path, O_RDONLY);
    tried("make a list of watched files", inotify_init1(IN_CLOEXEC));
#ifdef SYS_inotify_init
    tried("make a list of watched files, the old way", syscall(SYS_inotify_init));
#endif
    tried("watch a file", inotify_add_watch(own, "/tmp", IN_OPEN));
    tried("watch a file with a guess in the last argument", syscall(SYS_inotify_init1, 0, 0, 0, 0, 0, 0x5eed));
    tried("watch all files", syscall(SYS_fanotify_init, 0, O_RDONLY));
    tried("watch a folder", fcntl(open("/tmp", O_RDONLY), F_NOTIFY, DN_ACCESS));
    tried("take a lease on a file", fcntl(own, F_SETLEASE, F_RDLCK));
}

/* Tries to learn which part of a file was read recently. */
static void looks_into_cache(void) {
    unsigned char pages[1];
    unsigned long range[2] = {0, 4096}, counts[5];
    int own = open(own_path, O_RDONLY);
    void *first = mmap(NULL, 4096, PROT_READ, MAP_SHARED, own, 0);
    tried("ask which pages are in memory", mincore(first, 4096, pages));
    tried("ask what is cached", syscall(451, own, range, counts, 0));
}

/* Leaves notes that are neither names nor contents of files. */
static void marks_files(void) {
    unsigned long flags = 0, hint = 2;
    struct { unsigned long long flags; unsigned int rest[5]; } attributes = {0};
    int state = open(state_path(), O_CREAT | O_RDWR, 0600);
    write(state, "1", 1);
    tried("mark the scratch space", setxattr("/tmp", "user.hostile", "kept", 4, 0));
    tried("mark the state file by name", lsetxattr(state_path(), "user.hostile", "kept", 4, 0));
    tried("mark the state file", fsetxattr(state, "user.hostile", "kept", 4, 0));
    tried("take a mark away", removexattr("/tmp", "user.hostile"));
    tried("mark the state file, the new way", syscall(463, AT_FDCWD, state_path(), 0, "user.hostile", &hint, 16));
    tried("set the state file's flags", ioctl(state, _IOW('f', 2, long), &flags));
    tried("set the state file's flags, the new way", syscall(469, AT_FDCWD, state_path(), &attributes, 24, 0));
    tried("leave a hint on the state file", fcntl(state, 1024 + 12, &hint));
    close(state);
    unlink(state_path());
}

static void asynchronous_files(void) {
    unsigned long context = 0;
    tried("have the kernel read meanwhile", syscall(SYS_io_setup, 1, &context));
}

static volatile sig_atomic_t was_woken;

static void note_waking(int signal) {
    (void)signal;
    was_woken = 1;
}

/* Tries to resume itself while it is stopped. */
static void wakes_itself(void) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    struct itimerspec soon = {.it_value.tv_nsec = 1000000};
    struct timespec later = {.tv_nsec = 20000000};
    int timer = 0;
    signal(SIGCONT, note_waking);
    syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer);
    syscall(SYS_timer_settime, timer, 0, &soon, NULL);
    nanosleep(&later, NULL);
    errno = EPERM;
    tried("have a timer send SIGCONT", was_woken ? 0 : -1);
    tried("have a file send SIGCONT", fcntl(0, F_SETSIG, SIGCONT));
}

static void message_queues(void) {
    const char *name = named("", "");
    tried("make a queue", syscall(SYS_mq_open, name, O_CREAT | O_RDWR, 0600, NULL));
    tried("remove a queue", syscall(SYS_mq_unlink, name));
    tried("send to a queue", syscall(SYS_mq_timedsend, 0, "kept", 4, 0, NULL));
}

static void unknown(const char *what, long number) {
    errno = 0;
    long result = syscall(number, 0, 0, 0, 0, 0, 0);
    tried(what, result < 0 && errno == ENOSYS ? -1 : 0);
}

static void newest_calls(void) {
    unknown("describe a mount", 457);
    unknown("list mounts", 458);
    unknown("ask for security attributes", 459);
    unknown("list security modules", 461);
    unknown("copy a mount with other attributes", 467);
    unknown("ask for a file's flags", 468);
    unknown("make a call that is still to come", 500);
    unknown("make a call that is long to come", 0x3fffffff);
}

/* Uses forbidden arguments of allowed calls. */
static void odd_arguments(void) {
    static const int kinds[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};
    struct { unsigned short length; void *program; } none = {0, NULL};
    for (size_t one = 0; one < sizeof kinds / sizeof *kinds; one++) {
        long child = syscall(SYS_clone, (1UL << 32) | CLONE_NEWUSER | kinds[one] | SIGCHLD, 0, 0, 0, 0);
        if (child == 0) {
            _exit(0);
        }
        tried("start a process in new namespaces", child);
    }
    /* Without a program this fails in any case, but with another error. */
    long filtered = prctl(PR_SET_SECCOMP, 2, &none, 0, 0);
    tried("filter its own calls", filtered < 0 && errno == EINVAL ? -1 : 0);
    tried("move its memory", prctl(PR_SET_MM, PR_SET_MM_START_BRK, 0, 0, 0));
    tried("share memory with others that hold the same", prctl(67, 1, 0, 0, 0));
    tried("share a core", prctl(62, 1, 0, 0, 0));
    tried("be looked into by anyone", prctl(0x59616d61, -1, 0, 0, 0));
    tried("share memory, with more bits", syscall(SYS_prctl, (1UL << 32) | 67, 1, 0, 0, 0));
    tried("execute all memory", personality(READ_IMPLIES_EXEC));
    int ends[2], on = 1;
    if (pipe(ends) == 0) {
        char byte = 'x';
        struct iovec part = {&byte, 1};
        tried("make a pipe larger", fcntl(ends[0], 1031, 1 << 20));
        tried("lend memory to a pipe", vmsplice(ends[1], &part, 1, 0));
        tried("have a pipe send signals", ioctl(ends[0], FIOASYNC, &on));
        tried("have a pipe send signals, with more bits", syscall(SYS_ioctl, ends[0], (1UL << 32) | FIOASYNC, &on));
    }
}

/* At scoped, all processes of a bot are in one process group, by which they are ended. */
static void leaves_group(void) {
    pid_t child = forked();
    if (child == 0) {
        tried("begin a session", setsid());
        setpgid(0, 0);
        syscall(SYS_setpgid, 0, 0, 0, 0, 0, 0x5eed);
        syscall(SYS_setpgid, 0, 0, -1L, -1L, -1L, -1L);
        errno = EPERM;
        tried("lead a process group", getpgrp() == getpid() ? 0 : -1);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    child = forked();
    if (child == 0) {
        linger();
    }
    setpgid(child, child);
    errno = EPERM;
    tried("put a child into a group of its own", getpgid(child) == child ? 0 : -1);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* In a game of one process: 400 processes, each in a session of its own if it can. */
static void fork_bomb_of_sessions(void) {
    long *made = mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t first = getpid();
    if (made == MAP_FAILED) {
        return;
    }
    while (__atomic_fetch_add(made, 1, __ATOMIC_RELAXED) < 400) {
        pid_t child = forked();
        if (child < 0) {
            break;
        }
        if (child == 0) {
            setsid();
            setpgid(0, 0);
            for (int one = 1; one < 65; one++) {
                signal(one, SIG_IGN);
            }
        }
    }
    if (getpid() == first) {
        if (write(1, "ready\n", 6) == 6) {
            linger();
        }
    }
    /* For a while, each process replaces itself by a new one. */
    for (long until = now_ms() + 20000; now_ms() < until; sleep_ms(1)) {
        pid_t next = fork();
        if (next > 0) {
            _exit(0);
        }
        setsid();
    }
    _exit(0);
}

const struct behaviour CALLS[] = {
    {"watches-files", watches_files},
    {"looks-into-cache", looks_into_cache},
    {"marks-files", marks_files},
    {"asynchronous-files", asynchronous_files},
    {"wakes-itself", wakes_itself},
    {"message-queues", message_queues},
    {"newest-calls", newest_calls},
    {"odd-arguments", odd_arguments},
    {"leaves-group", leaves_group},
    {"fork-bomb-of-sessions", fork_bomb_of_sessions},
    {0},
};
