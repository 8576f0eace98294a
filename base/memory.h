/* Small allocations: names, lists, the structs of open things.
 *
 * Their failure cannot sensibly be handled, so it ends the program with one sentence on stderr and
 * exit code 1. What may be large (bodies, pictures, device memory) is allocated with malloc and
 * reports its failure as STATUS_RUNTIME with the number of bytes. Thread-safe; free() frees. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* `count` items of `size` bytes, all zero; never NULL, also for none. */
void *memory_new(size_t count, size_t size) __attribute__((malloc, returns_nonnull));

/* The same items in a place with room for `count`; what was added is not zeroed. */
void *memory_grow(void *items, size_t count, size_t size) __attribute__((returns_nonnull));

char *memory_text(const char *text) __attribute__((malloc, returns_nonnull)); /* a copy */

/* Ends the program; for a library that reports that it ran out of memory. */
void memory_exhausted(void) __attribute__((noreturn));

#endif
