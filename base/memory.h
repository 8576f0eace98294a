/* Small allocations: names, lists, structs.
 *
 * Their failure cannot be handled sensibly, so it ends the program with a message on stderr and
 * exit code 1. Large data (bodies, pictures, device memory) is allocated with malloc and reports
 * failure as STATUS_RUNTIME with the number of bytes. Thread-safe; free() frees. */
#pragma once

#include <stddef.h>

/* `count` items of `size` bytes, zeroed; never NULL, not even for 0 items. */
void *memory_new(size_t count, size_t size) __attribute__((malloc, returns_nonnull));

/* Large data whose pages are all given by the system now, beside other work, instead of when they
 * are first used; not zeroed. NULL: no memory left. */
void *memory_touched(size_t bytes) __attribute__((malloc));

/* Resizes to room for `count` items; new ones are not zeroed. */
void *memory_grow(void *items, size_t count, size_t size) __attribute__((returns_nonnull));

char *memory_text(const char *text) __attribute__((malloc, returns_nonnull)); /* a copy */

/* Ends the program; for a library that reports that it is out of memory. */
void memory_exhausted(void) __attribute__((noreturn));
