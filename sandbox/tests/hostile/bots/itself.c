/* Changes itself and its own files, or reads other programs' files. */
#include "hostile.h"
#include <dirent.h>
#include <grp.h>
#include <libgen.h>
#include <pthread.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/xattr.h>

static void own_program(void) {
    char moved[4200];
    snprintf(moved, sizeof moved, "%s.moved", own_path);
    tried("open its program to write", open(own_path, O_WRONLY));
    tried("cut its program off", truncate(own_path, 1));
    tried("empty its program", open(own_path, O_RDONLY | O_TRUNC));
    tried("rename its program", rename(own_path, moved));
    tried("link its program elsewhere", link(own_path, moved));
    tried("delete its program", unlink(own_path));
    int own = open("/proc/self/exe", O_RDWR);
    tried("open its program by another name", own);
}

/* Changes what Landlock's rules about reading and writing do not cover. */
static void changes_attributes(void) {
    static const char *const keys[] = {"secret", "readable"};
    for (int one = 0; one < 2; one++) {
        const char *path = given(keys[one]);
        struct timeval epoch[2] = {{0, 0}, {0, 0}};
        tried("change another file's mode", chmod(path, 0777));
        tried("change another file's owner", chown(path, getuid(), getgid()));
        tried("change another file's times", utimes(path, epoch));
        tried("mark another file", setxattr(path, "user.hostile", "kept", 4, 0));
#ifdef SYS_fchmodat2
        tried("change another file's mode, the new way", syscall(SYS_fchmodat2, AT_FDCWD, path, 0777, 0));
#endif
    }
    int fd = open(own_path, O_RDONLY);
    tried("change its own program's mode", fchmod(fd, 0777));
    unsigned long flags = 0;
    ioctl(fd, _IOR('f', 1, long), &flags);
    tried("set its own program's flags", ioctl(fd, _IOW('f', 2, long), &flags));
    tried("mark its own program", fsetxattr(fd, "user.hostile", "kept", 4, 0));
}

/* Reading an empty file counts as refused. */
static long first_bytes(const char *path) {
    char words[256] = "";
    int fd = open(path, O_RDONLY);
    long had = fd < 0 ? -1 : read(fd, words, sizeof words - 1);
    if (had == 0) {
        errno = ENODATA;
        return -1;
    }
    return had;
}

static void reads_secret(void) {
    char words[256] = "", folder[4096];
    int fd = open(given("secret"), O_RDONLY);
    tried("open a secret file", fd);
    if (fd >= 0 && read(fd, words, sizeof words - 1) > 0) {
        dprintf(2, "it says: %s\n", words);
    }
    snprintf(folder, sizeof folder, "%s", given("secret"));
    tried("list a folder", opendir(dirname(folder)) ? 0 : -1);
    tried("read passwords", first_bytes("/etc/shadow"));
    tried("read passwords of groups", first_bytes("/etc/gshadow"));
    tried("open the disk", open("/dev/vda", O_RDONLY));
    tried("open the memory", open("/dev/mem", O_RDONLY));
}

static void setuids(void) {
    uid_t other = getuid() == 0 ? 65534 : 0;
    tried("become another user", setresuid(other, other, other));
    tried("become another group", setresgid(other, other, other));
    tried("become another user by setuid", setuid(other));
    tried("become another group by setgid", setgid(other));
    tried("become another user by setreuid", setreuid(other, other));
    tried("become another group by setregid", setregid(other, other));
    tried("join another group", setgroups(1, (gid_t[]){other}));
    tried("gain privileges from a file", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? (errno = EPERM, -1) : 0);
}

static void raises_limits(void) {
    static const struct { const char *what; int resource; } kinds[] = {
        {"raise the limit of open files", RLIMIT_NOFILE},
        {"raise the limit of data", RLIMIT_DATA},
        {"raise the limit of a file's size", RLIMIT_FSIZE},
        {"raise the limit of core dumps", RLIMIT_CORE},
    };
    for (size_t one = 0; one < sizeof kinds / sizeof *kinds; one++) {
        struct rlimit limit;
        getrlimit(kinds[one].resource, &limit);
        limit.rlim_max = limit.rlim_cur = limit.rlim_max + 1;
        tried(kinds[one].what, setrlimit(kinds[one].resource, &limit));
    }
}

static void raises_priority(void) {
    struct sched_param first = {.sched_priority = 1};
    errno = 0;
    int before = getpriority(PRIO_PROCESS, 0);
    setpriority(PRIO_PROCESS, 0, before - 5);
    tried("raise its priority", getpriority(PRIO_PROCESS, 0) != before ? 0 : -1);
    sched_setscheduler(0, SCHED_FIFO, &first);
    tried("run in real time", sched_getscheduler(0) == SCHED_FIFO ? 0 : -1);
    tried("come first for disks", syscall(SYS_ioprio_set, 1, 0, 1 << 13));
}

/* A process that is idle or nice waits for other programs whenever there are any. */
static void waits_on_purpose(void) {
    struct sched_param zero = {0};
    cpu_set_t before, after, all;
    sched_getaffinity(0, sizeof before, &before);
    memset(&all, 0xff, sizeof all);
    int niceness = getpriority(PRIO_PROCESS, 0);
    setpriority(PRIO_PROCESS, 0, 19);
    tried("be nice", getpriority(PRIO_PROCESS, 0) != niceness ? 0 : -1);
    sched_setscheduler(0, SCHED_IDLE, &zero);
    tried("be idle", sched_getscheduler(0) == SCHED_IDLE ? 0 : -1);
    CPU_CLR(CPU_COUNT(&before) > 1 ? 0 : CPU_SETSIZE - 1, &all);
    sched_setaffinity(0, sizeof all, &all);
    sched_getaffinity(0, sizeof after, &after);
    tried("run on other processors", CPU_EQUAL(&before, &after) ? -1 : 0);
}

static void oom_score(void) {
    int fd = open("/proc/self/oom_score_adj", O_WRONLY);
    tried("become the last to be killed for memory", fd < 0 ? -1 : write(fd, "-1000", 5));
}

static void leaked_descriptors(void) {
    for (int fd = 3; fd < 4096; fd++) {
        if (fcntl(fd, F_GETFD) >= 0) {
            dprintf(2, "descriptor %d: ", fd);
            tried("use a descriptor that was left open", 0);
        }
    }
    errno = EBADF;
    tried("use any more descriptors", -1);
}

extern char **environ;
static void leaked_environment(void) {
    for (char **one = environ; *one; one++) {
        dprintf(2, "environment: %s\n", *one);
    }
}

static void locks(void) {
    static const char *const keys[] = {"readable", "program"};
    for (int one = 0; one < 2; one++) {
        int fd = open(one == 0 ? given(keys[0]) : own_path, O_RDONLY);
        tried(one == 0 ? "lock another file" : "lock its own program", fd < 0 ? -1 : flock(fd, LOCK_EX | LOCK_NB));
    }
    /* The child keeps the locks. */
    if (forked() == 0) {
        setsid();
        linger();
    }
}

static void *wait_for_ever(void *nothing) {
    for (;;) {
        pause();
    }
    return nothing;
}

static void thread_bomb(void) {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 * 1024);
    int made = 0;
    for (pthread_t thread; made < 1500; made++) {
        int refused = pthread_create(&thread, &small, wait_for_ever, NULL);
        if (refused) {
            errno = refused;
            tried("start one more thread", -1);
            break;
        }
    }
    dprintf(2, "threads started: %d\n", made);
    answer();
    _exit(0);
}

const struct behaviour ITSELF[] = {
    {"own-program", own_program},
    {"changes-attributes", changes_attributes},
    {"reads-secret", reads_secret},
    {"setuids", setuids},
    {"raises-limits", raises_limits},
    {"raises-priority", raises_priority},
    {"waits-on-purpose", waits_on_purpose},
    {"oom-score", oom_score},
    {"leaked-descriptors", leaked_descriptors},
    {"leaked-environment", leaked_environment},
    {"locks", locks},
    {"thread-bomb", thread_bomb},
    {0},
};
