/* A bot for Nim that is started for every move and breaks only the rule that the name of its file stands for. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind;
static char state[64];

static int is(const char *name) { return strcmp(kind, name) == 0; }

/* What the state file has, 0 bytes if there is none, and how often it was noted there that this bot moved. */
static char notes[4096];
static size_t noted;

static int moves_noted(void) {
    int count = 0;
    for (const char *at = notes; (at = strstr(at, "moved\n")); at++) count++;
    return count;
}

static void read_notes(void) {
    FILE *file = fopen(state, "r");
    if (!file) return;
    noted = fread(notes, 1, sizeof notes - 1, file);
    fclose(file);
}

static void open_states_of_others(void) {
    DIR *folder = opendir("/tmp");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char path[300];
        snprintf(path, sizeof path, "/tmp/%s", entry->d_name);
        int is_other = strncmp(entry->d_name, "arena.", 6) == 0 && strcmp(path, state) != 0;
        if (is_other && open(path, O_RDONLY) < 0) exit(1);
    }
}

/* The heaps of the position: the first line, or all input of the kind that waits for its end. */
static int read_heaps(int heaps[16]) {
    char line[256] = "";
    size_t length = 0;
    if (is("waits-for-end")) length = fread(line, 1, sizeof line - 1, stdin);
    else if (fgets(line, sizeof line, stdin)) length = strlen(line);
    line[length] = 0;
    int count = 0;
    for (char *word = strtok(line, " \n"); word && count < 16; word = strtok(NULL, " \n")) {
        char *end;
        heaps[count++] = (int)strtol(word, &end, 10);
        if (*end) exit(1);
    }
    return count;
}

static unsigned below(unsigned most) {
    unsigned drawn;
    if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn) exit(1);
    return drawn % most;
}

static void choose(const int *heaps, int count, int *heap, int *taken) {
    int total = 0, largest = 0;
    if (is("random-moves")) {
        do *heap = (int)below((unsigned)count); while (heaps[*heap] == 0);
        *taken = 1 + (int)below((unsigned)heaps[*heap]);
        return;
    }
    for (int at = 0; at < count; at++) {
        total ^= heaps[at];
        if (heaps[at] > heaps[largest]) largest = at;
    }
    *heap = largest;
    *taken = 1;
    for (int at = count - 1; at >= 0; at--) {
        int left = heaps[at] ^ total;
        if (left < heaps[at]) *heap = at, *taken = heaps[at] - left;
    }
}

int main(int argc, char **argv) {
    if (argc < 2) return 1;
    kind = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
    snprintf(state, sizeof state, "/tmp/arena.%s", argv[1]);
    if (is("needs-home") && !getenv("HOME")) return 1;
    if (is("needs-folder") && access(kind, R_OK) != 0) return 1;
    struct stat out;
    if (is("pipe-only") && fstat(1, &out) == 0 && S_ISREG(out.st_mode)) return 1;
    if (is("writes-log") && open("/tmp/nim.log", O_WRONLY | O_CREAT, 0600) < 0) return 1;
    if (is("reads-opponents-state")) open_states_of_others();
    if (is("floods-stderr"))
        for (int line = 0; line < 20000; line++) fputs("thinking\n", stderr);
    if (is("segv")) raise(SIGSEGV);
    read_notes();
    int turn = moves_noted() + 1;
    if (is("dies-on-junk") && noted != 6 * (size_t)moves_noted()) return 1;
    if (is("dies-on-junk") || is("tires")) {
        FILE *file = fopen(state, "a");
        if (!file || fputs("moved\n", file) < 0 || fclose(file) != 0) return 1;
    }
    int heaps[16], heap, taken;
    int count = read_heaps(heaps);
    if (count == 0) return 1;
    if (is("sleeps") && count == 3 && heaps[0] == 3 && heaps[1] == 5 && heaps[2] == 7) usleep(700000);
    choose(heaps, count, &heap, &taken);
    if (is("takes-nothing")) taken = 0;
    if (is("tires") && turn == 2) heap = 0, taken = 99;
    if (!is("mute")) printf("%d %d\n", heap + 1, taken);
    fflush(stdout);
    if (is("leaves-process") && fork() == 0) {
        for (int descriptor = 0; descriptor < 3; descriptor++) close(descriptor);
        sleep(15);
        _exit(0);
    }
    return is("exits-with-1");
}
