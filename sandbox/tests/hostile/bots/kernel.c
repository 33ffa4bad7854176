/* Asks the kernel for things that no game needs, chosen so that an attempt that succeeds changes nothing. */
#include "hostile.h"
#include <mqueue.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>

static void io_uring(void) {
    char parameters[256] = {0};
    tried("set up an io_uring", syscall(SYS_io_uring_setup, 4, parameters));
}

static void sysv(void) {
    tried("make shared memory", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
    tried("make semaphores", semget(IPC_PRIVATE, 1, IPC_CREAT | 0600));
    tried("make a message queue", msgget(IPC_PRIVATE, IPC_CREAT | 0600));
    tried("find shared memory", shmget(0x5eed, 1, 0));
    mqd_t queue = mq_open(named("/", ""), O_CREAT | O_RDWR, 0600, NULL);
    tried("make a POSIX message queue", queue);
    int of_open = errno;
    if (queue != (mqd_t)-1) {
        mq_unlink(named("/", ""));
    }
    errno = of_open;
}

static void keyring(void) {
    tried("keep a key", syscall(SYS_add_key, "user", "hostile", "kept", 4, -3));
    tried("ask for a key", syscall(SYS_request_key, "user", "hostile", NULL, 0));
    tried("read the session's keys", syscall(SYS_keyctl, 11, -3, NULL, 0));
}

static void memfd(void) {
    tried("make a file in memory", syscall(SYS_memfd_create, "kept", 0));
#ifdef SYS_memfd_secret
    tried("make a secret file in memory", syscall(SYS_memfd_secret, 0));
#endif
}

static void new_namespaces(void) {
    static const struct { const char *what; int flag; } kinds[] = {
        {"enter a new user namespace", CLONE_NEWUSER},     {"enter a new mount namespace", CLONE_NEWNS},
        {"enter a new process namespace", CLONE_NEWPID},   {"enter a new network namespace", CLONE_NEWNET},
        {"enter a new message namespace", CLONE_NEWIPC},   {"enter a new name namespace", CLONE_NEWUTS},
        {"enter a new group namespace", CLONE_NEWCGROUP},  {"enter a new time namespace", 0x80},
    };
    for (size_t one = 0; one < sizeof kinds / sizeof *kinds; one++) {
        tried(kinds[one].what, unshare(kinds[one].flag));
    }
    long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        _exit(0);
    }
    tried("start a process in a new user namespace", child);
#ifdef SYS_clone3
    struct { unsigned long long word[11]; } how = {{CLONE_NEWUSER, 0, 0, 0, SIGCHLD}};
    child = syscall(SYS_clone3, &how, sizeof how);
    if (child == 0) {
        _exit(0);
    }
    tried("start a process in a new user namespace, the new way", child);
#endif
    int own = open("/proc/self/ns/ipc", O_RDONLY);
    tried("enter a namespace", own < 0 ? -1 : setns(own, 0));
}

static void mounts(void) {
    if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 0) {
        dprintf(2, "tried mount a file system: succeeded, or would have: no call is filtered\n");
        return;
    }
    tried("mount a file system", mount("hostile", "/tmp", "tmpfs", 0, NULL));
    tried("mount a folder elsewhere", mount("/usr", "/opt", NULL, MS_BIND, NULL));
    tried("make mounts writable", mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL));
    tried("take a mount away", umount2("/proc", MNT_DETACH));
#ifdef SYS_fsopen
    tried("open a file system", syscall(SYS_fsopen, "tmpfs", 0));
#endif
#ifdef SYS_open_tree
    tried("copy a mount", syscall(SYS_open_tree, AT_FDCWD, "/usr", 1));
#endif
    tried("change the root", syscall(SYS_pivot_root, "/tmp", "/tmp"));
}

static void chroots(void) { tried("change the root", chroot("/tmp")); }

static void sets_clock(void) {
    struct timespec now;
    struct timeval same;
    clock_gettime(CLOCK_REALTIME, &now);
    gettimeofday(&same, NULL);
    tried("set the clock", clock_settime(CLOCK_REALTIME, &now));
    tried("set the time of day", settimeofday(&same, NULL));
    struct timex change = {.modes = ADJ_TICK};
    change.tick = 1000000 / sysconf(_SC_CLK_TCK);
    tried("adjust the clock", adjtimex(&change));
}

static void names_host(void) {
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    tried("name the host", sethostname(name, strlen(name)));
    tried("write a kernel setting", open("/proc/sys/kernel/hostname", O_WRONLY));
    tried("write a kernel setting", open("/proc/sys/kernel/core_pattern", O_WRONLY));
    tried("ask the kernel for its log", syscall(SYS_syslog, 3, name, 1));
}

static void terminal(void) {
    char key = 'x';
    tried("open the terminal", open("/dev/tty", O_RDWR));
    tried("open the console", open("/dev/console", O_RDWR | O_NOCTTY));
    tried("open a new terminal", open("/dev/ptmx", O_RDWR | O_NOCTTY));
    for (int number = 0; number < 4; number++) {
        char path[32];
        snprintf(path, sizeof path, "/dev/pts/%d", number);
        tried("open somebody's terminal", open(path, O_RDWR | O_NOCTTY));
    }
    for (int fd = 0; fd < 3; fd++) {
        tried("type into a terminal", ioctl(fd, TIOCSTI, &key));
        tried("type into a terminal, with more bits", syscall(SYS_ioctl, fd, 0x100000000UL | TIOCSTI, &key));
        tried("paste into a terminal", ioctl(fd, 0x541C, &key));
    }
}

/* The same requests by the numbers of other system call tables. */
static void older_calls(void) {
#ifdef __x86_64__
    tried("open a socket by its x32 number", syscall(0x40000000 + SYS_socket, AF_INET, SOCK_STREAM, 0));
    tried("enter a new user namespace by its x32 number", syscall(0x40000000 + SYS_unshare, CLONE_NEWUSER));
    pid_t child = forked();
    if (child == 0) {
        long made;
        signal(SIGSEGV, SIG_DFL);
        __asm__ volatile("int $0x80" : "=a"(made) : "a"(359), "b"(AF_INET), "c"(SOCK_STREAM), "d"(0) : "memory");
        _exit(made >= 0 ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    errno = 0;
    tried("open a socket by its i386 number", status == 0 ? 0 : -1);
#endif
    tried("attach by bpf", syscall(SYS_bpf, 0, NULL, 0));
    tried("count events", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
    tried("handle page faults", syscall(SYS_userfaultfd, 1));
}

const struct behaviour KERNEL[] = {
    {"io-uring", io_uring},
    {"sysv", sysv},
    {"keyring", keyring},
    {"memfd", memfd},
    {"new-namespaces", new_namespaces},
    {"mounts", mounts},
    {"chroots", chroots},
    {"sets-clock", sets_clock},
    {"names-host", names_host},
    {"terminal", terminal},
    {"older-calls", older_calls},
    {0},
};
