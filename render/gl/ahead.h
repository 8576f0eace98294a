/* A GL context that is opened while other work is done: loading a driver takes 40 ms and more. */
#pragma once

#include "render/gl/context.h"

struct gl_ahead;

/* Starts to open a context on a thread of its own. No process may be forked until it is taken. */
void gl_ahead_begin(struct gl_ahead **out, int cuda_device);

/* Waits, and returns what gl_context_open did; *ahead becomes NULL. */
enum status gl_ahead_take(struct gl_ahead **ahead, struct gl_context **out);

/* Waits, and closes a context that nobody took; accepts a pointer to NULL. */
void gl_ahead_end(struct gl_ahead **ahead);
