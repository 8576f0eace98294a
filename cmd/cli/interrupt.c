#include "cmd/cli/interrupt.h"

#include "base/log.h"
#include "base/ranks/ranks.h"
#include "base/stop.h"

#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t arrived;

static void set(int number)
{
    __atomic_store_n(&arrived, number, __ATOMIC_RELAXED);
}

static void on_signal(int number)
{
    if (stop_asked(&arrived))
        _exit(128 + number);
    set(number);
}

volatile sig_atomic_t *interrupt_catch(void)
{
    const struct sigaction action = {.sa_handler = on_signal};
    struct sigaction before;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* under nohup SIGHUP is ignored, so that the run continues when its terminal is closed */
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
    ranks_watch(&arrived);
    return &arrived;
}

int interrupt_signal(void)
{
    return __atomic_load_n(&arrived, __ATOMIC_RELAXED);
}

const char *interrupt_words(void)
{
    const int number = interrupt_signal();
    return number == SIGINT   ? "Ctrl-C (SIGINT)"
           : number == SIGHUP ? "the end of its terminal (SIGHUP)"
                              : "another program (SIGTERM)";
}

int interrupt_exit_code(enum status status, const char *left)
{
    if (status != STATUS_STOPPED)
        return (int)status;
    if (left)
        log_warning("stopped by %s; %s", interrupt_words(), left);
    return 128 + interrupt_signal();
}

int interrupt_suspend(void)
{
    return __atomic_exchange_n(&arrived, 0, __ATOMIC_RELAXED);
}

void interrupt_resume(int number)
{
    if (number)
        set(number);
}
