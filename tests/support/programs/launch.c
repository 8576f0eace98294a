/* Starts a program of another architecture under an emulator, for tests that start gravreel by its
 * path: launch EMULATOR SYSROOT PROGRAM are compiled in. Built statically for this machine, so that
 * a library in LD_PRELOAD is loaded into the program alone. See scripts/test-arm. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char **words = calloc((size_t)argc + 5, sizeof *words);
    if (!words)
        return 126;
    words[0] = EMULATOR;
    words[1] = "-L";
    words[2] = SYSROOT;
    words[3] = PROGRAM;
    memcpy(words + 4, argv + 1, (size_t)argc * sizeof *words);
    execv(EMULATOR, words);
    fprintf(stderr, "launch: %s: %s\n", EMULATOR, strerror(errno));
    return 126;
}
