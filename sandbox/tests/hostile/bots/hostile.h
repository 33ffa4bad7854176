/* What every hostile behaviour shares: the arena, the answer, and how an attempt is told. */
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

/* Each theme's behaviours, ended by one without a name. */
extern const struct behaviour FINE[], LEFTOVERS[], STATE[], SIGNALS[], NETWORK[], KERNEL[], ITSELF[], CPU[],
    TIMEOUTS[], OUTPUTS[], DEATHS[], MEMORY[], CALLS[], LASTING[],
    THIEVES[];

/* The bot's mark, and the path it was started by. */
extern char mark;
extern const char *own_path;

/* The value of the argument KEY=VALUE: where the canaries are. Ends the bot with status 70 if it is missing. */
const char *given(const char *key);
int given_number(const char *key);

/* PREFIX, then the name under which the trial recognises what this bot makes, then SUFFIX. */
const char *named(const char *prefix, const char *suffix);

/* The bot's own state file. */
const char *state_path(void);

/* The right answer to the arena on standard input; to the empty one if the input is not to be read. */
const char *right_answer(void);
void never_read_input(void);
/* Writes the right answer, once. Every behaviour that returns has it written by main. */
void answer(void);

/* Tells on standard error how an attempt went: RESULT is a system call's. */
void tried(const char *what, long result);

/* A forked child that ends by itself after a while, should the sandbox fail to end it. */
pid_t forked(void);
/* Sleeps until killed, for two minutes at most. */
void linger(void) __attribute__((noreturn));

long now_ms(void);
void sleep_ms(long ms);

#endif
