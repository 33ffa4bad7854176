/* What all hostile behaviours share: the arena, the answer, and how an attempt is reported. */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARENA = 528 };

struct behaviour {
    const char *name;
    void (*act)(void);
};

/* The behaviours of each theme; one without a name ends each list. */
extern const struct behaviour FINE[], LEFTOVERS[], STATE[], SIGNALS[], NETWORK[], KERNEL[], ITSELF[], CPU[],
    TIMEOUTS[], OUTPUTS[], DEATHS[], MEMORY[], CALLS[], LASTING[], THIEVES[], BUILDS[];

/* The bot's mark, and the path by which it was started. */
extern char mark;
extern const char *own_path;

/* The value of the argument KEY=VALUE, which says where a canary is. Exits with status 70 if it is missing. */
const char *given(const char *key);
int given_number(const char *key);

/* PREFIX, then the marker by which the trial recognises what this bot makes, then SUFFIX. */
const char *named(const char *prefix, const char *suffix);

/* The bot's own state file. */
const char *state_path(void);

/* The right answer to the arena on standard input, or to an empty arena if the input is not to be read. */
const char *right_answer(void);
void never_read_input(void);
/* Writes the right answer, once. After a behaviour that returns, main writes it. */
void answer(void);

/* Reports the result of an attempt, a system call's, on standard error. */
void tried(const char *what, long result);

/* Forks. The child ends by itself after two minutes, in case the sandbox fails to end it. */
pid_t forked(void);
/* Sleeps until killed, for two minutes at most. */
void linger(void) __attribute__((noreturn));

long now_ms(void);
void sleep_ms(long ms);

#endif
