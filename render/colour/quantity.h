/* How the numbers of look.quantity lie along look.map. One const entry each, default first. Pure
 * and thread-safe. */
#pragma once

#include <stdbool.h>

struct quantity_scale {
    const char *name, *doc;
    bool logarithmic;
};

/* Whether a number has a place along the map: it is finite and, on a logarithmic scale, above 0. */
bool quantity_has_place(const struct quantity_scale *scale, double value);

/* The place: 0 at `from`, 1 at `to`, clamped beyond them; -1: the number has none. */
float quantity_place(const struct quantity_scale *scale, double from, double to, double value);
