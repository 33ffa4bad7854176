/* Odd behaviour that breaks no rule. */
#include "hostile.h"

static void fine(void) {}

static void reads_nothing(void) { never_read_input(); }

static void closes_stdin(void) {
    close(0);
    never_read_input();
    sleep_ms(20);
}

static void nonblocking_stdout(void) { fcntl(1, F_SETFL, O_NONBLOCK); }

/* Counts its moves in its state file, which is allowed. */
static void keeps_state(void) {
    int moves = 0;
    FILE *notes = fopen(state_path(), "r");
    if (notes) {
        if (fscanf(notes, "%d", &moves) != 1) {
            moves = -1;
        }
        fclose(notes);
    }
    dprintf(2, "moves so far: %d\n", moves);
    notes = fopen(state_path(), "w");
    if (!notes) {
        tried("write the state file", -1);
        return;
    }
    fprintf(notes, "%d", moves + 1);
    fclose(notes);
}

const struct behaviour FINE[] = {
    {"fine", fine},
    {"reads-nothing", reads_nothing},
    {"closes-stdin", closes_stdin},
    {"nonblocking-stdout", nonblocking_stdout},
    {"keeps-state", keeps_state},
    {0},
};
