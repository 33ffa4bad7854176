/* Builds, which may change modes, times and owners of their own files, and try it with others. */
#include "hostile.h"
#include <libgen.h>

/* Attempts on the file at `path` by every way that leads to it. */
static void change(const char *path) {
    char way[8300], folder[4096], name[256];
    struct timespec epoch[2] = {{0, 0}, {0, 0}};
    snprintf(folder, sizeof folder, "%s", path);
    snprintf(name, sizeof name, "%s", strrchr(path, '/') + 1);
    dirname(folder);
    tried("change a mode by the path", chmod(path, 0777));
    tried("change the times by the path", utimensat(AT_FDCWD, path, epoch, 0));
    tried("change the owner by the path", chown(path, getuid(), getgid()));
    snprintf(way, sizeof way, "../../../../../../../../../../../../../..%s", path);
    tried("change a mode from its own folder up", chmod(way, 0777));
    char *own = getcwd(NULL, 0);
    snprintf(way, sizeof way, "%s/../../../../../../../../../../../../../..%s", own, path);
    tried("change a mode by its own folder's path up", chmod(way, 0777));
    symlink(path, "link");
    tried("change a mode by a link", chmod("link", 0777));
    tried("change a mode by a link's path", (snprintf(way, sizeof way, "%s/link", own), chmod(way, 0777)));
    unlink("link");
    symlink(folder, "link");
    tried("change a mode by a link to a folder", (snprintf(way, sizeof way, "link/%s", name), chmod(way, 0777)));
    unlink("link");
    for (const char *const *root = (const char *[]){"/proc/self/root", "/proc/self/cwd/../../../../../../../../..", 0};
         *root; root++) {
        snprintf(way, sizeof way, "%s%s", *root, path);
        tried("change a mode by /proc", chmod(way, 0777));
        snprintf(way, sizeof way, "/proc/%d/root%s", getppid(), path);
        tried("change a mode by /proc of the parent", chmod(way, 0777));
    }
    int file = open(path, O_PATH), held = open(folder, O_PATH);
    snprintf(way, sizeof way, "/proc/self/fd/%d", file);
    tried("change a mode by the link of a descriptor", chmod(way, 0777));
    snprintf(way, sizeof way, "/proc/%d/fd/%d", getpid(), file);
    tried("change a mode by the full link of a descriptor", chmod(way, 0777));
    tried("change a mode by a descriptor", fchmod(file, 0777));
    tried("change a mode by an empty path", syscall(452, file, "", 0777, AT_EMPTY_PATH));
    tried("change the times by a descriptor", utimensat(file, NULL, epoch, 0));
    tried("change a mode beneath a descriptor", fchmodat(held, name, 0777, 0));
    if (fchdir(held) == 0) {
        tried("change a mode from its folder", chmod(name, 0777));
        tried("change the mode of its folder", chmod(".", 0777));
        chdir(own);
    }
    tried("change a mode by its name in the own folder", link(path, "linked") < 0 ? -1 : chmod("linked", 0777));
    close(file);
    close(held);
    free(own);
}

static void race(const char *path) {
    struct stat before, after;
    if (stat(path, &before) < 0) {
        return;
    }
    close(open("own", O_CREAT | O_WRONLY, 0600));
    pid_t other = forked();
    for (long until = now_ms() + 400; now_ms() < until;) {
        if (other == 0) {
            symlink(path, "next");
            rename("next", "turns");
            symlink("own", "next");
            rename("next", "turns");
        } else {
            chmod("turns", before.st_mode ^ 0111);
            chmod("turns/../turns", 0777);
        }
    }
    if (other == 0) {
        _exit(0);
    }
    waitpid(other, NULL, 0);
    stat(path, &after);
    errno = EPERM;
    tried("change a mode in a race", after.st_mode != before.st_mode ? 0 : -1);
}

static void changes_attributes(void) {
    static const char *const keys[] = {"secret", "readable"};
    for (int one = 0; one < 2; one++) {
        change(given(keys[one]));
        race(given(keys[one]));
    }
    struct stat found;
    close(open("own", O_CREAT | O_WRONLY, 0600));
    chmod("own", 07755);
    stat("own", &found);
    errno = EPERM;
    tried("let others run a file as its user", found.st_mode & 07000 ? 0 : -1);
    tried("change a mode with a wrong address", chmod((char *)0xdead000, 0700));
    tried("change a mode with an address of the kernel", chmod((char *)-4096, 0700));
    tried("change a mode with an endless path", chmod(memset(malloc(9000), 'a', 9000), 0700));
    tried("change the times with a wrong address", utimensat(AT_FDCWD, "own", (void *)0xdead000, 0));
    tried("change a mode with unknown flags", syscall(452, AT_FDCWD, "own", 0700, 0x10000));
    tried("give a file away", chown("own", getuid() + 1, -1));
    tried("change a mode by a wrong descriptor", fchmod(999, 0777));
}

/* Many processes that change modes as fast as they can, and are never done. */
static void floods(void) {
    close(open("own", O_CREAT | O_WRONLY, 0600));
    for (int one = 0; one < 32; one++) {
        if (forked() == 0) {
            for (int mode = 0;; mode++) {
                chmod("own", 0700 | (mode & 077));
            }
        }
    }
    dprintf(1, "flooding\n");
    linger();
}

/* Folders that no process of the user could remove. */
static void closes_folders(void) {
    mkdir("closed", 0700);
    tried("close a folder", chmod("closed", 0));
    tried("close its own folder", chmod(".", 0500));
    tried("close its home folder", chmod(getenv("HOME"), 0500));
    tried("open the common folder", chmod("/tmp", 0777));
}

const struct behaviour BUILDS[] = {
    {"changes-attributes-in-a-build", changes_attributes},
    {"floods-in-a-build", floods},
    {"closes-folders-in-a-build", closes_folders},
    {0},
};
