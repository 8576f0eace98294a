/* What is fed with bytes from outside, until it breaks. One file per kind of input defines both
 * functions; mutate.c runs them as a test, with the same bytes each time, and libFuzzer for as long
 * as one likes (scripts/fuzz). Breaking is what a sanitizer finds, a crash, or a promise that is
 * not kept (fuzz_promise). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's name and signature; always returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Good inputs, made by the program itself: `take` is called for each. */
typedef void (*fuzz_take)(void *user, const void *data, size_t size);
void fuzz_seeds(fuzz_take take, void *user);

/* Ends the program with the text unless it holds. */
void fuzz_promise(bool holds, const char *text);

/* The bytes as a file that can be opened by its path until the next call; "" where there is no
 * room. */
const char *fuzz_file(const void *data, size_t size);
