/* Reports what it sees of earlier runs and games, and leaves traces that the next one might see. */
#include "hostile.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <time.h>

static const char *const FOLDERS[] = {"/tmp", "/var/tmp", "/dev/shm"};

static void see_folder(const char *path) {
    struct stat seen;
    struct statvfs space;
    if (stat(path, &seen) < 0 || statvfs(path, &space) < 0) {
        dprintf(2, "sees %s: %s\n", path, strerror(errno));
        return;
    }
    dprintf(2, "sees %s: mode %o, %ld bytes, read %ld.%09ld, written %ld.%09ld, %lu entries free\n", path, seen.st_mode,
            (long)seen.st_size, seen.st_atim.tv_sec, seen.st_atim.tv_nsec, seen.st_mtim.tv_sec, seen.st_mtim.tv_nsec,
            (unsigned long)space.f_ffree);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (entry->d_name[0] != '.') {
            dprintf(2, "sees %s/%s\n", path, entry->d_name);
        }
    }
    if (folder) {
        closedir(folder);
    }
    char names[256];
    dprintf(2, "sees %s: attributes of %zd bytes\n", path, listxattr(path, names, sizeof names));
}

static void see_file(const char *path) {
    char text[8192];
    int fd = open(path, O_RDONLY);
    unsigned long sum = 5381;
    for (ssize_t n; fd >= 0 && (n = read(fd, text, sizeof text)) > 0;) {
        for (ssize_t at = 0; at < n; at++) {
            sum = sum * 33 + (unsigned char)text[at];
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    dprintf(2, "sees %s: %lx\n", path, sum);
}

static void see_all(void) {
    dprintf(2, "sees itself as number %d, its child as %d\n", getpid(), ({
                pid_t child = vfork();
                if (child == 0) {
                    _exit(0);
                }
                waitpid(child, NULL, 0);
                child;
            }));
    for (size_t at = 0; at < sizeof FOLDERS / sizeof *FOLDERS; at++) {
        see_folder(FOLDERS[at]);
    }
    see_folder(getenv("HOME"));
}

static void make_children(int count) {
    for (int child = 0; child < count; child++) {
        pid_t pid = fork();
        if (pid == 0) {
            _exit(0);
        }
        waitpid(pid, NULL, 0);
    }
}

static void leave_all(void) {
    for (size_t at = 0; at < sizeof FOLDERS / sizeof *FOLDERS; at++) {
        char path[64];
        snprintf(path, sizeof path, "%s/\xff%d", FOLDERS[at], getpid());
        close(open(path, O_CREAT | O_WRONLY, 0600));
        if (at > 0) {
            unlink(path);
        }
        setxattr(FOLDERS[at], "user.note", "kept", 4, 0);
        struct timespec times[2] = {{1000000 + at, 7}, {2000000 + at, 9}};
        utimensat(AT_FDCWD, FOLDERS[at], times, 0);
        chmod(FOLDERS[at], at == 0 ? 0 : 0711);
    }
    make_children(7);
}

static void leaves_traces(void) {
    see_all();
    leave_all();
}

static void by_network(void) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(9)};
    inet_pton(AF_INET, "192.0.2.1", &there.sin_addr);
    connect(fd, (struct sockaddr *)&there, sizeof there);
    close(fd);
}

/* Leaves traces that last for the game, too. */
static void leaves_traces_in_the_game(void) {
    see_all();
    see_file("/proc/self/net/snmp");
    see_file("/proc/self/net/netstat");
    see_file(state_path());
    by_network();
    int fd = open(state_path(), O_CREAT | O_WRONLY | O_APPEND, 0600);
    if (write(fd, "note", 4) != 4) {
        dprintf(2, "no note\n");
    }
    close(fd);
    leave_all();
}

/* What it can ask about a file that all bots can read, and about the machine. */
static void see_common(void) {
    char byte;
    struct iovec one = {&byte, 1};
    struct flock lock = {.l_type = F_WRLCK, .l_len = 1};
    struct timespec time;
    int fd = open("/bin/sh", O_RDONLY), value = 0;
    socklen_t size = sizeof value;
    int pair[2] = {-1, -1};
    dprintf(2, "sees a lock: %d", fcntl(fd, F_GETLK, &lock));
    dprintf(2, " of type %d\n", lock.l_type);
    lock.l_type = F_RDLCK;
    dprintf(2, "sees that it can lock: %d %d\n", flock(fd, LOCK_EX | LOCK_NB), fcntl(fd, F_SETLK, &lock));
    dprintf(2, "sees whether it is in memory: %zd\n", preadv2(fd, &one, 1, 4096, RWF_NOWAIT));
    dprintf(2, "sees the clock of process 1: %d\n", clock_gettime((clockid_t)(~1u << 3 | 2), &time));
    dprintf(2, "sees a handle: %ld\n", syscall(SYS_pidfd_open, getpid(), 0));
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    dprintf(2, "sees a cookie: %d\n", getsockopt(pair[0], SOL_SOCKET, 57, &value, &size));
    dprintf(2, "sees a socket: %d\n", socket(AF_INET6, SOCK_STREAM, 0));
    close(pair[0]);
    close(pair[1]);
    close(fd);
}

/* Leaves what it can where another bot, or the next game's, could ask for it. */
static void leave_common(void) {
    struct flock lock = {.l_type = F_RDLCK, .l_start = 5, .l_len = 1};
    int fd = open("/bin/sh", O_RDONLY);
    flock(fd, LOCK_SH);
    fcntl(fd, F_SETLK, &lock);
    fcntl(fd, F_OFD_SETLK, &lock);
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    void *mapped = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 4096);
    madvise(mapped, 4096, 21); /* MADV_PAGEOUT */
    struct timespec zero = {0, 0};
    clock_settime((clockid_t)(~1u << 3 | 2), &zero);
    /* The descriptor stays open, and the locks with it. */
}

static void leaves_common_traces(void) {
    leave_common();
    dprintf(1, "ready\n");
    linger();
}

/* When something was made, by the last change of its attributes. */
static void see_age(const char *path) {
    struct stat seen;
    if (lstat(path, &seen) == 0) {
        dprintf(2, "made %ld.%09ld %s\n", seen.st_ctim.tv_sec, seen.st_ctim.tv_nsec, path);
    }
}

/* What a bot of one process a game sees without starting a process or creating a file. */
static void see_in_session(void) {
    dprintf(2, "sees itself as number %d\n", getpid());
    for (size_t at = 0; at < sizeof FOLDERS / sizeof *FOLDERS; at++) {
        see_folder(FOLDERS[at]);
        see_age(FOLDERS[at]);
    }
    see_folder(getenv("HOME"));
    see_age(getenv("HOME"));
    see_age("/proc");
    see_age("/proc/self");
    /* `sockstat` and `protocols` also count what the whole machine does. */
    const char *const files[] = {"snmp", "snmp6", "netstat", "sockstat6", "dev", "unix"};
    for (size_t at = 0; at < sizeof files / sizeof *files; at++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/self/net/%s", files[at]);
        see_file(path);
    }
    see_file("/proc/1/stat");
    see_common();
}

/* Plays in lines: sees, leaves its trace, and waits to be ended. */
static void remember(void (*leave)(void)) {
    see_in_session();
    if (leave) {
        leave();
    }
    dprintf(1, "ready\n");
    linger();
}

static void by_number(void) {
    make_children(3);
}

static void by_file_number(void) {
    struct stat seen;
    for (int file = 0; file < 2; file++) {
        int fd = open("/dev/shm", O_TMPFILE | O_WRONLY, 0600);
        dprintf(2, "sees file %lu\n", fstat(fd, &seen) == 0 ? (unsigned long)seen.st_ino : 0);
        close(fd);
    }
}

static void by_file(void) {
    close(open("/var/tmp/note", O_CREAT | O_WRONLY, 0600));
}

static void by_removed_file(void) {
    close(open("/tmp/note", O_CREAT | O_WRONLY, 0600));
    unlink("/tmp/note");
}

static void by_times(void) {
    struct timespec times[2] = {{1000000, 7}, {2000000, 9}};
    utimensat(AT_FDCWD, "/dev/shm", times, 0);
}

static void by_mode(void) {
    chmod(getenv("HOME"), 0711);
}

static void by_pairs(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && write(pair[0], "x", 1) != 1) {
        dprintf(2, "could not write to a pair\n");
    }
}

static void by_child(void) {
    pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) {
        linger();
    }
}

static void remembers_nothing(void) { remember(NULL); }
static void remembers_by_number(void) { remember(by_number); }
static void remembers_by_file_number(void) { remember(by_file_number); }
static void remembers_by_file(void) { remember(by_file); }
static void remembers_by_removed_file(void) { remember(by_removed_file); }
static void remembers_by_times(void) { remember(by_times); }
static void remembers_by_mode(void) { remember(by_mode); }
static void remembers_by_common_files(void) { remember(leave_common); }
static void remembers_by_network(void) { remember(by_network); }
static void remembers_by_pairs(void) { remember(by_pairs); }
static void remembers_by_child(void) { remember(by_child); }

/* Takes everything that the kernel counts for a user, in as many processes as are allowed, and keeps it. */
static void takes_everything(void) {
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    sigset_t blocked;
    sigfillset(&blocked);
    int children = 0;
    for (; children < 1000; children++) {
        pid_t pid = fork();
        if (pid < 0) {
            break;
        }
        if (pid > 0) {
            continue;
        }
        alarm(120);
        sigprocmask(SIG_BLOCK, &blocked, NULL);
        for (int n = 0; n < 100000 && sigqueue(getpid(), SIGRTMIN, (union sigval){n}) == 0; n++) {
        }
        int half = (int)files.rlim_cur / 2, pair[2];
        for (int n = 0; n < half / 2 && pipe(pair) == 0; n++) {
            fcntl(pair[1], F_SETFL, O_NONBLOCK);
            static char much[65536];
            while (write(pair[1], much, sizeof much) > 0) {
            }
        }
        for (int poll; (poll = epoll_create1(0)) >= 0;) {
            for (int fd = 3; fd < poll; fd++) {
                struct epoll_event event = {.events = EPOLLIN};
                epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
            }
        }
        syscall(SYS_add_key, "user", "k", "v", 1, -3);
        unsigned long context = 0;
        syscall(SYS_io_setup, 60000, &context);
        while (syscall(SYS_inotify_init1, 0) >= 0) {
        }
        for (;;) {
            pause();
        }
    }
    sleep_ms(500);
    dprintf(1, "taken by %d\n", children);
    linger();
}

/* Takes a little of everything that any program may need. */
static void takes_a_little(void) {
    int pair[2] = {-1, -1}, poll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    static char page[4096];
    sigset_t blocked;
    sigfillset(&blocked);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    if (pipe(pair) < 0 || write(pair[1], page, sizeof page) != sizeof page) {
        dprintf(2, "could not use a pipe: %s\n", strerror(errno));
    }
    if (poll < 0 || epoll_ctl(poll, EPOLL_CTL_ADD, pair[0], &event) < 0) {
        dprintf(2, "could not watch a descriptor: %s\n", strerror(errno));
    }
    if (sigqueue(getpid(), SIGRTMIN, (union sigval){1}) < 0) {
        dprintf(2, "could not queue a signal: %s\n", strerror(errno));
    }
    pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    if (child < 0 || waitpid(child, NULL, 0) != child) {
        dprintf(2, "could not start a process: %s\n", strerror(errno));
    }
}

const struct behaviour LASTING[] = {
    {"leaves-traces", leaves_traces},
    {"leaves-traces-in-the-game", leaves_traces_in_the_game},
    {"remembers-nothing", remembers_nothing},
    {"remembers-by-number", remembers_by_number},
    {"remembers-by-file-number", remembers_by_file_number},
    {"remembers-by-file", remembers_by_file},
    {"remembers-by-removed-file", remembers_by_removed_file},
    {"remembers-by-times", remembers_by_times},
    {"remembers-by-mode", remembers_by_mode},
    {"remembers-by-common-files", remembers_by_common_files},
    {"remembers-by-network", remembers_by_network},
    {"leaves-common-traces", leaves_common_traces},
    {"sees-common-traces", see_common},
    {"remembers-by-pairs", remembers_by_pairs},
    {"remembers-by-child", remembers_by_child},
    {"takes-everything", takes_everything},
    {"takes-a-little", takes_a_little},
    {NULL, NULL},
};
