/* Job files are templates: texts with places, {{name}}, in the language of their scheduler. */
#pragma once

#include "cmd/film/farm/plan.h"

#include <stdio.h>

struct farm_place {
    const char *name;
    char *value; /* NULL: lines with this place are left out */
};

enum { FARM_PLACES = 32 };

/* The places of a plan that mean the same in every language: cpus, gpus, mebibytes, minutes, and
 * marks for lines: "if ranges" of a film, "unless ranges". Returns their number. */
size_t farm_places(struct farm_place places[FARM_PLACES], const struct farm_plan *plan);

/* The texts, each written by `put` with its number, as one value; NULL if `lines` is NULL. */
char *farm_lines(char *const *lines, size_t count,
                 void (*put)(FILE *file, size_t i, const char *line));

/* Writes the text with its places filled in, and frees their values. */
void farm_template_write(FILE *file, const char *text, const struct farm_place *places,
                         size_t count);
