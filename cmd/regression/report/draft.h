/* A report being written: collected in memory, then saved to its file in one step. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdio.h>

struct draft {
    FILE *file; /* writes to memory */
    char *text;
    size_t size;
};
void draft_open(struct draft *draft);

/* Ends the draft; the caller frees the text. */
char *draft_text(struct draft *draft, size_t *size);

/* Ends the draft: replaces the file, or prints to standard output if path is NULL. */
enum status draft_save(struct draft *draft, const char *path);
