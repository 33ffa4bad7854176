/* Keeps files where none are allowed. */
#include "hostile.h"
#include <libgen.h>

static void many_files(void) {
    int made = 0;
    for (; made < 100000; made++) {
        char suffix[16];
        snprintf(suffix, sizeof suffix, ".%d", made);
        int fd = open(named("/tmp/", suffix), O_CREAT | O_WRONLY, 0600);
        if (fd < 0) {
            tried("make one more file", fd);
            break;
        }
        close(fd);
    }
    dprintf(2, "files made: %d\n", made);
}

static void state_symlink(void) {
    unlink(state_path());
    if (symlink(given("secret"), state_path()) < 0) {
        tried("make a link", -1);
    }
}

static void state_fifo(void) {
    unlink(state_path());
    if (mkfifo(state_path(), 0600) < 0) {
        tried("make a pipe", -1);
    }
}

static void state_directory(void) {
    char below[64];
    unlink(state_path());
    if (mkdir(state_path(), 0700) < 0) {
        tried("make a folder", -1);
    }
    snprintf(below, sizeof below, "%s/below", state_path());
    mkdir(below, 0700);
    chmod(below, 0);
    chmod(state_path(), 0);
}

static void write_to(const char *what, const char *path) {
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    if (fd < 0 || write(fd, "kept", 4) != 4) {
        tried(what, -1);
        return;
    }
    close(fd);
}

/* A folder that cannot be read from the moment it is made. */
static void closed_folder(void) {
    char below[64];
    snprintf(below, sizeof below, "%s/below", state_path());
    unlink(state_path());
    tried("make a closed folder", mkdir(state_path(), 0300));
    mkdir(below, 0300);
    mode_t before = umask(0777);
    tried("make a closed folder, the other way", mkdir(state_path(), 0777));
    umask(before);
}

static void writes_home(void) {
    const char *home = getenv("HOME");
    char prefix[4096];
    snprintf(prefix, sizeof prefix, "%s/", home ? home : "");
    write_to("write to HOME", named(prefix, ".kept"));
}

static void writes_tmp(void) { write_to("write to /tmp", named("/tmp/", ".kept")); }
static void writes_var_tmp(void) { write_to("write to /var/tmp", named("/var/tmp/", ".kept")); }
static void writes_dev_shm(void) { write_to("write to /dev/shm", named("/dev/shm/", ".kept")); }
static void writes_cwd(void) { write_to("write to the working directory", named("", ".kept")); }

static void writes_own_folder(void) {
    char path[4096], prefix[4200];
    snprintf(path, sizeof path, "%s", own_path);
    snprintf(prefix, sizeof prefix, "%s/", dirname(path));
    write_to("write to the bot's folder", named(prefix, ".kept"));
}

/* Nested folders without permissions, at a path longer than system calls accept. */
static void deep_folders(void) {
    char name[201];
    memset(name, 'd', sizeof name - 1);
    name[sizeof name - 1] = 0;
    const char *top = named("/tmp/", "");
    if (mkdir(top, 0700) < 0 || chdir(top) < 0) {
        tried("make a folder", -1);
        return;
    }
    for (int depth = 0; depth < 300; depth++) {
        if (mkdir(name, 0700) < 0 || chdir(name) < 0) {
            tried("make a folder within a folder", -1);
            return;
        }
        close(open("file", O_CREAT | O_WRONLY, 0));
        chmod("..", 0);
    }
}

/* Removes all permissions of the folders themselves. */
static void closes_folders(void) {
    int fd = open(named("/tmp/", ".kept"), O_CREAT | O_WRONLY, 0600);
    if (fd < 0) {
        tried("write to /tmp", fd);
    }
    chmod("/tmp", 0);
    chmod("/var/tmp", 0);
    chmod("/dev/shm", 0);
    chmod(getenv("HOME"), 0);
}

static void state_unreadable(void) {
    int fd = open(state_path(), O_CREAT | O_WRONLY, 0600);
    if (fd < 0 || fchmod(fd, 0) < 0) {
        tried("close the state file", -1);
    }
}

/* Replaces the state file by another file, so that the file system's count of files stays the same. */
static void swaps_file_for_state(void) {
    unlink(state_path());
    write_to("write to /tmp", named("/tmp/", ".kept"));
}

static void opens_foes_state(void) {
    char first[64] = "";
    int fd = open(given("foe"), O_RDONLY);
    tried("open the opponent's state file", fd);
    if (fd >= 0 && read(fd, first, sizeof first - 1) > 0) {
        dprintf(2, "it says: %s\n", first);
    }
}

static void huge_state(void) {
    static char chunk[1 << 20];
    signal(SIGXFSZ, SIG_IGN);
    memset(chunk, 'x', sizeof chunk);
    int fd = open(state_path(), O_CREAT | O_WRONLY, 0600);
    for (int mb = 0; mb < 200; mb++) {
        if (write(fd, chunk, sizeof chunk) < (ssize_t)sizeof chunk) {
            /* The write after the one that was cut off gives the error. */
            tried("write 200 MB of state", write(fd, chunk, sizeof chunk));
            return;
        }
    }
    tried("write 200 MB of state", 0);
}

/* What a Java runtime does by itself. */
static void java_counters(void) {
    char folder[256];
    snprintf(folder, sizeof folder, "/tmp/hsperfdata_%s", given("marker"));
    mkdir(folder, 0755);
    strcat(folder, "/1");
    write_to("write counters", folder);
}

const struct behaviour STATE[] = {
    {"java-counters", java_counters},
    {"many-files", many_files},
    {"state-symlink", state_symlink},
    {"state-fifo", state_fifo},
    {"state-directory", state_directory},
    {"closed-folder", closed_folder},
    {"writes-home", writes_home},
    {"writes-tmp", writes_tmp},
    {"writes-var-tmp", writes_var_tmp},
    {"writes-dev-shm", writes_dev_shm},
    {"writes-cwd", writes_cwd},
    {"writes-own-folder", writes_own_folder},
    {"deep-folders", deep_folders},
    {"closes-folders", closes_folders},
    {"state-unreadable", state_unreadable},
    {"swaps-file-for-state", swaps_file_for_state},
    {"opens-foes-state", opens_foes_state},
    {"huge-state", huge_state},
    {0},
};
