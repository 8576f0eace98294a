/* How values of look.quantity map to places on look.map. One const entry each, default first. Pure
 * and thread-safe. */
#ifndef RENDER_COLOUR_QUANTITY_H
#define RENDER_COLOUR_QUANTITY_H

#include <stdbool.h>

struct quantity_scale {
    const char *name, *doc;
    bool logarithmic;
};

/* Whether a number has a place on the map: it is finite and, on a logarithmic scale, above 0. */
bool quantity_has_place(const struct quantity_scale *scale, double value);

/* The place on the map: 0 at `from`, 1 at `to`, clamped beyond them; -1: none. */
float quantity_place(const struct quantity_scale *scale, double from, double to, double value);

#endif
