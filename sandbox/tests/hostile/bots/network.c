/* Tries to communicate with others. */
#include "hostile.h"
#include <arpa/inet.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static struct sockaddr_in local(int port) {
    return (struct sockaddr_in){AF_INET, htons((unsigned short)port), {htonl(INADDR_LOOPBACK)}, {0}};
}

static void tcp(void) {
    struct sockaddr_in to = local(given_number("tcp"));
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    tried("connect by TCP", fd < 0 ? -1 : connect(fd, (struct sockaddr *)&to, sizeof to));
    int fd6 = socket(AF_INET6, SOCK_STREAM, 0);
    tried("listen by TCP", fd6 < 0 ? -1 : listen(fd6, 1));
    char path[64];
    snprintf(path, sizeof path, "exec 3<>/dev/tcp/127.0.0.1/%d", given_number("tcp"));
    pid_t shell = forked();
    if (shell == 0) {
        close(2);
        execl("/bin/bash", "bash", "-c", path, (char *)0);
        _exit(127);
    }
    int status = 0;
    waitpid(shell, &status, 0);
    errno = 0;
    tried("connect by TCP from a shell", status == 0 ? 0 : -1);
}

static void udp(void) {
    struct sockaddr_in to = local(given_number("udp"));
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    tried("send by UDP", fd < 0 ? -1 : sendto(fd, "leak", 4, 0, (struct sockaddr *)&to, sizeof to));
}

static void raw(void) {
    tried("open a raw socket", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
    tried("open a packet socket", socket(AF_PACKET, SOCK_RAW, 0));
}

static void netlink(void) { tried("open a netlink socket", socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE)); }

static void vsock(void) { tried("open a vsock", socket(AF_VSOCK, SOCK_STREAM, 0)); }

static long reach(int kind, const char *name, int is_abstract, int send_only) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    strncpy(to.sun_path + is_abstract, name, sizeof to.sun_path - 2);
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)is_abstract + strlen(name));
    int fd = socket(AF_UNIX, kind, 0);
    if (fd < 0) {
        return -1;
    }
    return send_only ? sendto(fd, "leak", 4, 0, (struct sockaddr *)&to, length)
                     : connect(fd, (struct sockaddr *)&to, length);
}

static void unix_path(void) { tried("connect to a socket file", reach(SOCK_STREAM, given("unix"), 0, 0)); }

static void unix_abstract(void) {
    tried("connect to an abstract socket", reach(SOCK_STREAM, given("abstract"), 1, 0));
    tried("send to an abstract socket", reach(SOCK_DGRAM, given("abstract-datagram"), 1, 1));
}

/* A pair of sockets is allowed, but sending elsewhere from one of them is not. */
static void pair_sends_elsewhere(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) < 0) {
        tried("make a pair of sockets", -1);
        return;
    }
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    const char *name = given("abstract-datagram");
    strncpy(to.sun_path + 1, name, sizeof to.sun_path - 2);
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
    tried("send elsewhere from a pair", sendto(ends[0], "leak", 4, 0, (struct sockaddr *)&to, length));
    tried("connect one of a pair elsewhere", connect(ends[0], (struct sockaddr *)&to, length));
    struct sockaddr_un path = {.sun_family = AF_UNIX};
    strncpy(path.sun_path, given("unix-datagram"), sizeof path.sun_path - 1);
    tried("send from a pair to a socket file", sendto(ends[1], "leak", 4, 0, (struct sockaddr *)&path, sizeof path));
    int internet[2];
    tried("make a pair of internet sockets", socketpair(AF_INET, SOCK_STREAM, 0, internet));
}

/* Leaves descriptors under way, whose number is limited for the whole user. */
static void sends_descriptors(void) {
    int ends[2];
    char byte = 0;
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } rights = {{.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    struct iovec content = {&byte, 1};
    struct mmsghdr messages[] = {{{.msg_iov = &content,
                                   .msg_iovlen = 1,
                                   .msg_control = &rights,
                                   .msg_controllen = sizeof rights.space},
                                  0}};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) {
        tried("make a pair of sockets", -1);
        return;
    }
    memcpy(CMSG_DATA(&rights.header), &ends[1], sizeof(int));
    tried("send a descriptor", sendmsg(ends[0], &messages[0].msg_hdr, 0));
    tried("send descriptors together", sendmmsg(ends[0], messages, 1, 0));
    /* A guess at the word that lets the server send some. */
    tried("send a descriptor as the server", syscall(SYS_sendmsg, ends[0], &messages[0].msg_hdr, 0, 0, 0, 0));
}

const struct behaviour NETWORK[] = {
    {"tcp", tcp},
    {"udp", udp},
    {"raw", raw},
    {"netlink", netlink},
    {"vsock", vsock},
    {"unix-path", unix_path},
    {"unix-abstract", unix_abstract},
    {"pair-sends-elsewhere", pair_sends_elsewhere},
    {"sends-descriptors", sends_descriptors},
    {0},
};
