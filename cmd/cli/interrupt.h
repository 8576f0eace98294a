/* SIGINT, SIGTERM and, unless it is ignored, SIGHUP: the only signal handler of the program.
 *
 * The first signal only raises a flag, which long work polls in order to end cleanly. A second
 * signal while the flag is up ends the process at once, with the exit code 128 + signal. */
#pragma once

#include "base/status.h"

#include <signal.h>

/* Until interrupt_catch is called, and in commands that never call it, a signal ends the process
 * with the sentence "stopped by SIGNAL" and the exit code 128 + signal. Signals that are ignored
 * remain ignored. Called once, at the beginning. */
void interrupt_announce(void);

/* Catches the signals from now on. The flag is the number of the signal that has arrived; 0:
 * none. */
volatile sig_atomic_t *interrupt_catch(void);

/* The signal that has arrived; 0: none. */
int interrupt_signal(void);

/* A description of the signal: "Ctrl-C (SIGINT)". */
const char *interrupt_words(void);

/* The exit code of a command that ends with `status`: the status or, after a stop, 128 + signal,
 * with the message "stopped by SIGNAL; LEFT", unless LEFT is NULL. */
int interrupt_exit_code(enum status status, const char *left);

/* Lowers the flag, so that a new signal can interrupt the closing work; returns the signal that had
 * arrived. interrupt_resume raises the flag for `number` again; 0 changes nothing. */
int interrupt_suspend(void);
void interrupt_resume(int number);
