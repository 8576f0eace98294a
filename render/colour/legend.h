/* Colour maps: a number from 0 to 1 becomes a colour. One const entry each, default first.
 *
 * Stops at equal distances along the published maps: viridis, inferno, magma and plasma (S. van der
 * Walt and N. Smith, 2015, public domain), cividis (J. Nunez, C. Anderton and R. Renslow, 2018) and
 * turbo (A. Mikhailov, 2019). Between the stops display values are interpolated; they differ from
 * the published ones by at most 6 of 255. starlight is our own: hues on a line in OKLab from blue
 * to gold, mostly blue, with the lightness L* rising evenly from 53 to 91. All maps but turbo
 * become lighter from 0 to 1. grey has no stops. */
#pragma once

#include <stdbool.h>

enum { COLOUR_MAP_STOPS = 33 };

struct colour_map {
    const char *name, *doc;
    bool proportional;                        /* grey: light proportional to the value, no stops */
    unsigned char shown[COLOUR_MAP_STOPS][3]; /* red, green, blue on an sRGB display */
};

/* Red, green, blue, 0 to 1, on an sRGB display; values outside 0 to 1 are clamped. */
void colour_map_at(const struct colour_map *map, float value, float shown[3]);

/* The meaning of a picture's colours: bars of colour with numbers along them, or swatches of the
 * groups' tints. Colours are those of the bodies, as shown on a display. Pure and thread-safe. */

/* OKLab: colours by lightness, green to red, and blue to yellow, evenly spaced to the eye.
 * B. Ottosson, "A perceptual color space for image processing", 2020. Pure and thread-safe. */

/* Lightness, a and b -> linear red, green, blue of sRGB's primaries; below 0 beyond its gamut. */
void oklab_to_light(const double lab[3], double light[3]);

enum { LEGEND_BARS_MAX = 3, LEGEND_TICKS_MAX = 8 };

/* The kind of numbers along a bar, which decides their unit. */
enum legend_scale {
    LEGEND_WITHOUT_NUMBERS,
    LEGEND_NUMBER, /* no unit */
    LEGEND_LENGTH,
    LEGEND_SPEED,
    LEGEND_ACCELERATION,
    LEGEND_QUANTITY, /* look_found.quantity_from to quantity_to, labelled with look.quantity */
};

struct look_found;
struct look_params;

/* The settings that a bar's colours depend on. */
struct legend_look {
    const struct colour_map *map;
    double saturation;
};

struct legend {
    const char *quantity; /* "speed" */
    enum legend_scale scale;
    /* The full value (render/found.h); NULL: without numbers, or a quantity. */
    double (*full)(const struct look_params *look, const struct look_found *found);
    bool signed_scale;      /* starts at minus the full value, not at 0 */
    double decades;         /* > 0: logarithmic, this many decades up to the full value */
    bool from_one;          /* logarithmic, starts at 1 */
    const char *low, *high; /* words over the bar's ends; NULL: none */
    int bars;               /* 0: none */
    const char *names[LEGEND_BARS_MAX]; /* labels in front of the bars; NULL: none */
    bool swatches;                      /* one swatch for each tint of the groups */
    /* The colour at `place`, 0 .. 1 along the bar: red, green, blue, 0 to 1. */
    void (*colour)(const struct legend_look *look, int bar, double place, float shown[3]);
    /* Replaces the bars: a disk of directions in the picture, with the full value at its edge, and
     * a scale along the line of sight from `low` to `high`. Gives the colour of a motion to the
     * right, upwards and towards the viewer, in shares of the full value; NULL: no disk. */
    void (*disk)(const struct legend_look *look, const double moves[3], float shown[3]);
};

void legend_mapped(const struct legend_look *look, int bar, double place, float shown[3]);
void legend_velocity_rgb(const struct legend_look *look, int bar, double place, float shown[3]);
void legend_velocity(const struct legend_look *look, const double moves[3], float shown[3]);
void legend_radial(const struct legend_look *look, int bar, double place, float shown[3]);

/* A tint as the mode draws it: less saturation makes it greyer. */
void legend_tint(const float tint[3], double saturation, float shown[3]);

struct legend_ticks {
    int count;
    struct legend_tick {
        double place; /* 0 .. 1 along the bar */
        char label[24];
    } tick[LEGEND_TICKS_MAX];
};

/* Round numbers along a bar that ends at `full`: at most `most` steps on either side of 0, or
 * powers of ten on a logarithmic bar, plus `full` itself on a bar that counts from 1. None when
 * `full` is not a usable number. */
void legend_ticks(struct legend_ticks *out, const struct legend *legend, double full, int most);

/* The same along a bar from `from` to `to`. If too few or too many round numbers lie there, two
 * numbers near its ends. None when `from` and `to` are not a valid range of the scale. */
void legend_ticks_between(struct legend_ticks *out, bool logarithmic, double from, double to,
                          int most);

/* "0.25", "-300" with a true minus sign, "2e-5"; never "-0". */
void legend_number(char *out, int size, double value);
