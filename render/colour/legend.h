/* What a picture's colours mean, as a colour mode tells it: bars of colour with numbers along them,
 * or swatches of the groups' tints. The colours are those that bodies are drawn in, as shown on a
 * display. Pure and thread-safe. */
#ifndef RENDER_COLOUR_LEGEND_H
#define RENDER_COLOUR_LEGEND_H

#include "render/colour/map.h"

#include <stdbool.h>

enum { LEGEND_BARS_MAX = 3, LEGEND_TICKS_MAX = 8 };

/* What the numbers along a bar count, and which of the look's scales is its full value. */
enum legend_scale {
    LEGEND_WITHOUT_NUMBERS,
    LEGEND_SPEED,
    LEGEND_DISPERSION, /* half of the speed's */
    LEGEND_ACCELERATION,
    LEGEND_CELL,
    LEGEND_DISTANCE, /* look_found.extent */
    LEGEND_QUANTITY, /* from look_found.quantity_from to quantity_to, named by look.quantity */
};

/* What a bar's colours depend on. */
struct legend_look {
    const struct colour_map *map;
    double saturation;
};

struct legend {
    const char *quantity; /* "speed" */
    enum legend_scale scale;
    bool signed_scale;      /* from minus the full value, not from 0 */
    double decades;         /* above 0: logarithmic, this many decades up to the full value */
    bool from_one;          /* logarithmic, from 1 to the full value */
    const char *low, *high; /* words over the bar's ends; NULL: none */
    int bars;               /* 0: no bars */
    const char *names[LEGEND_BARS_MAX]; /* in front of the bars; NULL: none */
    bool swatches;                      /* one for each tint of the groups */
    /* The colour at `place`, 0 .. 1 along the bar: red, green, blue from 0 to 1. */
    void (*colour)(const struct legend_look *look, int bar, double place, float shown[3]);
    /* Instead of bars: a disk of directions in the picture, whose edge is the full value, beside a
     * scale along the line of sight, from `low` to `high`. The colour of what moves to the right,
     * upwards and nearer by these shares of the full value; NULL: no disk. */
    void (*disk)(const struct legend_look *look, const double moves[3], float shown[3]);
};

void legend_mapped(const struct legend_look *look, int bar, double place, float shown[3]);
void legend_velocity_rgb(const struct legend_look *look, int bar, double place, float shown[3]);
void legend_velocity(const struct legend_look *look, const double moves[3], float shown[3]);
void legend_radial(const struct legend_look *look, int bar, double place, float shown[3]);

/* A tint as the mode draws it: greyer with less saturation. */
void legend_tint(const float tint[3], double saturation, float shown[3]);

struct legend_ticks {
    int count;
    struct {
        double place; /* 0 .. 1 along the bar */
        char label[24];
    } tick[LEGEND_TICKS_MAX];
};

/* Round numbers along a bar that ends at `full`, at most `most` steps of them on either side of 0;
 * powers of ten on a logarithmic one, and `full` itself on one that counts from 1. None when `full`
 * is not a usable number. */
void legend_ticks(struct legend_ticks *out, const struct legend *legend, double full, int most);

/* The same along a bar from `from` to `to`; where too few or too many round numbers lie there, two
 * near its ends. None where these are no range of the scale. */
void legend_ticks_between(struct legend_ticks *out, bool logarithmic, double from, double to,
                          int most);

/* "0.25", "-300" with a true minus sign, "2e-5"; never "-0". */
void legend_number(char *out, int size, double value);

#endif
