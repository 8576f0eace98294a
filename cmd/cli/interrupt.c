#include "cmd/cli/interrupt.h"

#include "base/log.h"
#include "base/queue.h"
#include "base/ranks/ranks.h"

#include <stddef.h>
#include <string.h>
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

static const char *words_of(int number)
{
    return number == SIGINT   ? "Ctrl-C (SIGINT)"
           : number == SIGHUP ? "the end of its terminal (SIGHUP)"
                              : "another program (SIGTERM)";
}

static void say(const char *text)
{
    (void)!write(STDERR_FILENO, text, strlen(text)); /* a signal handler must not use stdio */
}

static void say_and_end(int number)
{
    say("gravreel: stopped by ");
    say(words_of(number));
    say("\n");
    _exit(128 + number);
}

void interrupt_announce(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction action = {.sa_handler = say_and_end};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction before;
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
}

volatile sig_atomic_t *interrupt_catch(void)
{
    if (ranks_own() > 0)
        return &arrived; /* ranks.h catches signals for the others */
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
    const int own = __atomic_load_n(&arrived, __ATOMIC_RELAXED);
    return own > 0 ? own : ranks_stop(&arrived); /* of another rank */
}

const char *interrupt_words(void)
{
    return words_of(interrupt_signal());
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
