/* System calls and an entry point without a C library, so that starting such a program costs only the kernel's work.
   The entry point calls `bot` with the words of the command line: words[1] is the program, words[2] its first argument. */
void bot(char **words);

#if defined(__x86_64__)
enum { READ = 0, WRITE = 1, EXIT = 60 };

static long call(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

__asm__(".globl _start\n_start: xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call bot\n");
#elif defined(__aarch64__)
enum { READ = 63, WRITE = 64, EXIT = 93 };

static long call(long number, long a, long b, long c) {
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
}

__asm__(".globl _start\n_start: mov x29, #0\n mov x0, sp\n bl bot\n");
#else
#include <unistd.h>
enum { READ, WRITE, EXIT };

static long call(long number, long a, long b, long c) {
    if (number == EXIT) _exit((int)a);
    return number == READ ? read((int)a, (void *)b, (size_t)c) : write((int)a, (void *)b, (size_t)c);
}

int main(int count, char **arguments) { return count ? (bot(arguments - 1), 0) : 2; }
#endif
