#include "cmd/cli/interrupt.h"

#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t arrived;

static void on_signal(int number)
{
    if (arrived)
        _exit(128 + number);
    arrived = number;
}

volatile sig_atomic_t *interrupt_catch(void)
{
    const struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &arrived;
}

int interrupt_signal(void)
{
    return arrived;
}

int interrupt_suspend(void)
{
    const int number = arrived;
    arrived = 0;
    return number;
}

void interrupt_resume(int number)
{
    if (number)
        arrived = number;
}
