/* Code that is fed with bytes from outside. One file per kind of input defines both functions;
 * mutate.c runs them as a test, with the same bytes each time, and libFuzzer for as long as needed
 * (scripts/fuzz). A failure is a fault found by a sanitizer, a crash, or a broken promise
 * (fuzz_promise). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's name and signature; always returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Valid inputs, made by the program itself: calls `take` for each. */
typedef void (*fuzz_take)(void *user, const void *data, size_t size);
void fuzz_seeds(fuzz_take take, void *user);

/* Ends the program with the text unless the condition holds. */
void fuzz_promise(bool holds, const char *text);

/* Puts the bytes into a file, whose path is valid until the next call; "" if there is no room. */
const char *fuzz_file(const void *data, size_t size);
