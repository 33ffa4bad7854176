/* Tries to gain time: by crowding the machine at its deadline, or by thinking while another bot is to move. */
#include "hostile.h"
#include <pthread.h>
#include <sched.h>
#include <sys/time.h>

/* Ends by itself after two minutes, in case the sandbox fails to end it. */
static void *spin(void *unused) {
    for (long until = now_ms() + 120000; now_ms() < until;) {
    }
    return unused;
}

static void crowds_with_threads(void) {
    pthread_t thread;
    for (int number = 0; number < 16; number++) {
        pthread_create(&thread, NULL, spin, NULL);
    }
    spin(NULL);
}

static void with_children(int number) {
    for (; number > 0 && forked(); number--) {
    }
    spin(NULL);
}

static void crowds_with_children(void) { with_children(16); }

static void crowds_while_idle(void) {
    struct sched_param zero = {0};
    sched_setscheduler(0, SCHED_IDLE, &zero);
    nice(19);
    with_children(16);
}

/* Sleeps for most of its time, and then needs more than is left. */
static void thinks_at_the_deadline(void) {
    sleep_ms(600);
    with_children(4);
}

static void burn_ms(long time) {
    for (long until = now_ms() + time; now_ms() < until;) {
    }
}

/* A line of processes: each works for a millisecond, starts the next and ends. */
static void relay(long until) {
    do {
        burn_ms(1);
    } while (now_ms() < until && fork() == 0);
    _exit(0);
}

/* Works in processes that are gone before anyone looks, so that the first one seems to wait for other programs. */
static void crowds_with_brief_children(void) {
    long until = now_ms() + 120000;
    /* The kernel then forgets them as soon as they end. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGCHLD, SIG_IGN);
    for (int number = 0; number < 12; number++) {
        if (forked() == 0) {
            relay(until);
        }
    }
    spin(NULL);
}

/* In a game of one process: reports that it is ready, and goes on. */
static void ready(void) {
    if (write(1, "ready\n", 6) != 6) {
        _exit(70);
    }
}

static void *sleep_as_the_first(void *unused) {
    /* It waits behind the children for most of this time. */
    burn_ms(800);
    kill(0, SIGUSR1);
    execl("/bin/sleep", "sleep", "120", NULL);
    return unused;
}

/* A thread that waited behind the bot's own children takes the number of the first one, and sleeps. */
static void execs_after_waiting(void) {
    pthread_t thread;
    signal(SIGUSR1, SIG_IGN);
    for (int number = 0; number < 8; number++) {
        if (forked() == 0) {
            signal(SIGUSR1, SIG_DFL);
            spin(NULL);
        }
    }
    pthread_create(&thread, NULL, sleep_as_the_first, NULL);
    ready();
    linger();
}

/* Its name is not text. */
static void hides_behind_its_name(void) {
    prctl(PR_SET_NAME, "\xff) R 1");
    ready();
    spin(NULL);
}

/* Thinks with so many threads that whoever watches it hardly gets a processor, and then answers. */
static void thinks_in_a_crowd(void) {
    pthread_t thread;
    char question[16];
    ready();
    fgets(question, sizeof question, stdin);
    for (int number = 0; number < 60; number++) {
        pthread_create(&thread, NULL, spin, NULL);
    }
    for (long until = now_ms() + 300; now_ms() < until;) {
    }
    puts("answer");
    fflush(stdout);
    linger();
}

static void ponders(void) {
    if (forked()) {
        ready();
    }
    crowds_with_threads();
}

static void burn_again(int unused) {
    (void)unused;
    kill(getpid(), SIGCONT);
    for (long until = now_ms() + 9; now_ms() < until;) {
    }
}

/* Sets timers to resume it whenever it is stopped. */
static void ponders_by_timer(void) {
    struct itimerval often = {{0, 10000}, {0, 10000}};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    timer_t timer;
    /* First of all, because afterwards it hardly does anything but handle signals. */
    ready();
    signal(SIGALRM, burn_again);
    signal(SIGCONT, burn_again);
    setitimer(ITIMER_REAL, &often, NULL);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) {
        struct itimerspec spec = {{0, 10000000}, {0, 10000000}};
        timer_settime(timer, 0, &spec, NULL);
    }
    if (forked() == 0) {
        /* A second process that wakes the first. */
        for (long until = now_ms() + 120000; now_ms() < until;) {
            kill(getppid(), SIGCONT);
        }
    }
    spin(NULL);
}

/* Starts orphans in sessions of their own, which it does not wait for. */
static void ponders_in_orphans(void) {
    signal(SIGCHLD, SIG_IGN);
    for (int number = 0; number < 4; number++) {
        if (forked() == 0) {
            if (fork() == 0) {
                setsid();
                setpgid(0, 0);
                signal(SIGTSTP, SIG_IGN);
                spin(NULL);
            }
            _exit(0);
        }
    }
    ready();
    linger();
}

const struct behaviour THIEVES[] = {
    {"crowds-with-threads", crowds_with_threads},
    {"crowds-with-children", crowds_with_children},
    {"crowds-while-idle", crowds_while_idle},
    {"crowds-with-brief-children", crowds_with_brief_children},
    {"execs-after-waiting", execs_after_waiting},
    {"hides-behind-its-name", hides_behind_its_name},
    {"thinks-at-the-deadline", thinks_at_the_deadline},
    {"thinks-in-a-crowd", thinks_in_a_crowd},
    {"ponders", ponders},
    {"ponders-by-timer", ponders_by_timer},
    {"ponders-in-orphans", ponders_in_orphans},
    {0},
};
