/* Attacks other processes. Whatever could do harm is tried on the canary first, and goes on only if that is refused. */
#include "hostile.h"
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <linux/sockios.h>

static void kills_parent(void) {
    tried("kill the parent", kill(getppid(), SIGKILL));
    tried("stop the parent", kill(getppid(), SIGSTOP));
    tried("terminate the parent", kill(getppid(), SIGTERM));
}

static void kills_victim(void) {
    int victim = given_number("victim");
    tried("kill another process", kill(victim, SIGKILL));
    tried("kill a thread of another process", syscall(SYS_tgkill, victim, victim, SIGKILL));
    int handle = (int)syscall(SYS_pidfd_open, victim, 0);
    tried("kill another process by handle", handle < 0 ? -1 : syscall(SYS_pidfd_send_signal, handle, SIGKILL, 0, 0));
    siginfo_t word = {.si_code = SI_QUEUE};
    tried("queue a signal to another process", syscall(SYS_rt_sigqueueinfo, victim, SIGKILL, &word));
}

static void kills_group(void) {
    for (int one = 1; one <= 15; one++) {
        signal(one, SIG_IGN);
    }
    tried("terminate the group", kill(0, SIGTERM));
    tried("hang up the group", kill(0, SIGHUP));
    tried("interrupt the group", kill(0, SIGINT));
}

static void kills_everything(void) {
    int victim = given_number("victim");
    int reached = kill(victim, 0);
    tried("reach another process", reached);
    if (reached == 0) {
        return;
    }
    tried("kill everything", kill(-1, given_number("signal")));
}

static void open_of(const char *what, int pid, const char *file, int flags) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
    tried(what, open(path, flags));
}

static void look_into(int pid) {
    char here[8];
    struct iovec local = {here, sizeof here}, remote = {here, sizeof here};
    tried("attach to a process", ptrace(PTRACE_ATTACH, pid, 0, 0));
    tried("seize a process", ptrace(PTRACE_SEIZE, pid, 0, 0));
    tried("read a process's memory", syscall(SYS_process_vm_readv, pid, &local, 1, &remote, 1, 0));
    tried("write a process's memory", syscall(SYS_process_vm_writev, pid, &local, 1, &remote, 1, 0));
    open_of("open a process's memory", pid, "mem", O_RDONLY);
    open_of("open a process's memory to write", pid, "mem", O_RDWR);
    open_of("open a process's environment", pid, "environ", O_RDONLY);
    open_of("open a process's input", pid, "fd/0", O_RDONLY);
    open_of("open a process's root", pid, "root/etc", O_RDONLY);
    open_of("change a process's OOM score", pid, "oom_score_adj", O_WRONLY);
#ifdef SYS_pidfd_getfd
    int handle = (int)syscall(SYS_pidfd_open, pid, 0);
    tried("take a process's descriptor", handle < 0 ? -1 : syscall(SYS_pidfd_getfd, handle, 0, 0));
#endif
}

static void looks_into_others(void) {
    look_into(given_number("victim"));
    look_into(getppid());
}

/* Changes other processes without signals: priority, processors, limits. */
static void hampers_others(void) {
    int victim = given_number("victim");
    struct rlimit none = {0, 0};
    struct sched_param zero = {0};
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    /* A call may only seem to succeed, so the other process is checked afterwards. */
    setpriority(PRIO_PROCESS, victim, 19);
    tried("lower another's priority", getpriority(PRIO_PROCESS, victim) == 19 ? 0 : -1);
    setpriority(PRIO_PROCESS, getppid(), 19);
    tried("lower the parent's priority", getpriority(PRIO_PROCESS, getppid()) == 19 ? 0 : -1);
    sched_setscheduler(victim, SCHED_IDLE, &zero);
    tried("make another idle", sched_getscheduler(victim) == SCHED_IDLE ? 0 : -1);
    cpu_set_t before, after;
    int could_see = sched_getaffinity(victim, sizeof before, &before) == 0;
    sched_setaffinity(victim, sizeof first, &first);
    int can_see = sched_getaffinity(victim, sizeof after, &after) == 0;
    tried("tie another to a processor", could_see && can_see && !CPU_EQUAL(&before, &after) ? 0 : -1);
    tried("limit another's processor time", prlimit(victim, RLIMIT_CPU, &none, NULL));
    tried("limit the parent's files", prlimit(getppid(), RLIMIT_NOFILE, &none, NULL));
    tried("put another last for disks", syscall(SYS_ioprio_set, 1, victim, 3 << 13));
}

/* A file that signals its owner when there is something to read. */
static void file_signals(void) {
    int ends[2], victim = given_number("victim");
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) {
        tried("make a pair of sockets", -1);
        return;
    }
    tried("own a file for another", fcntl(ends[0], F_SETOWN, victim));
    struct f_owner_ex owner = {F_OWNER_PID, victim};
    tried("own a file for another, the other way", fcntl(ends[0], F_SETOWN_EX, &owner));
    tried("choose the file's signal", fcntl(ends[0], F_SETSIG, SIGKILL));
    tried("own a socket for another", ioctl(ends[0], FIOSETOWN, &victim));
    tried("own a socket for another's group", ioctl(ends[0], SIOCSPGRP, &victim));
    fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
    if (write(ends[1], "!", 1) < 0) {
        tried("write to the pair", -1);
    }
}

const struct behaviour SIGNALS[] = {
    {"kills-parent", kills_parent},
    {"kills-victim", kills_victim},
    {"kills-group", kills_group},
    {"kills-everything", kills_everything},
    {"looks-into-others", looks_into_others},
    {"hampers-others", hampers_others},
    {"file-signals", file_signals},
    {0},
};
