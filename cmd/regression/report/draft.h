/* A view on its way out: written to memory, then to its file in one step. */
#ifndef CMD_REGRESSION_REPORT_DRAFT_H
#define CMD_REGRESSION_REPORT_DRAFT_H

#include "base/status.h"

#include <stddef.h>
#include <stdio.h>

struct draft {
    FILE *file; /* to write to; holds in memory */
    char *text;
    size_t size;
};
void draft_open(struct draft *draft);

/* Ends the writing; the caller frees the text. */
char *draft_text(struct draft *draft, size_t *size);

/* Ends the writing: replaces the file, or with NULL prints to the standard draft. */
enum status draft_save(struct draft *draft, const char *path);

#endif
