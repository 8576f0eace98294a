/* Formats numbers for the overlay: times, lengths, counts and drifts; also the length of the scale
 * bar and the opacity of a caption. Pure and thread-safe. */
#pragma once

#include "base/cosmology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OVERLAY_TEXT_MAX = 512 };

/* The time in s, min, h, days, yr, kyr, Myr or Gyr, or `t = 12.3` when `time_myr`, the scene's unit
 * of time, is 0. Unit and decimals depend on `duration`, the time of the film's last frame, so that
 * they stay the same over the film and at least about a hundred different times are shown. */
void overlay_clock_text(char *out, size_t size, double time, double time_myr, double duration);

/* A quantity of an expanding universe that a clock shows: one const entry each. */
struct clock_scale {
    const char *name, *doc;
    /* Writes the quantity for a scale factor and an age in Gyr. NULL: the clock shows time. */
    void (*say)(char *out, size_t size, const struct cosmology *cosmology, double scale,
                double gyr);
};

/* What the clock counts from: the epoch, or an event with or without a name. */
struct overlay_clock {
    double time_myr, duration; /* as above */
    double epoch;              /* of the clock at frame 0 */
    const char *event_name;    /* NULL: it counts from the epoch; "": from `event`, unnamed */
    double event;              /* simulated time */
    double event_reach;        /* so far from a named event, the picture shows the event itself */
    const struct clock_scale *as;
    struct cosmology cosmology; /* for `as` */
    double age;                 /* of the universe at frame 0 */
};

/* Writes "12.3 Myr", or "12.3 Myr before first passage", or what `as` shows. At a named event, or
 * so close that the number would be 0, it writes the name alone: "first passage". */
void overlay_clock_say(const struct overlay_clock *clock, double time, char *out, size_t size);

struct overlay_scale {
    double pixels;  /* 0: no bar */
    double units;   /* the same in the scene's units */
    char label[64]; /* "20 kpc", "50,000 ly" or, with length_kpc 0, "5 units" */
};

#define LIGHT_YEARS_IN_A_PARSEC 3.261563777

/* A unit of lengths, or a family of them. */
struct length_unit {
    const char *name, *doc;
    const struct length_step *steps; /* number_text.c */
    bool over_h;                     /* lengths are counted in units of 1 / h */
    const char *comoving;            /* goes before the unit of a comoving length */
};
extern const struct length_unit length_parsecs, length_light_years;

/* The unit in which a length in kpc reads best, and its number per kpc. unit NULL: parsecs. */
const char *overlay_length_unit(const struct length_unit *unit, double length_kpc, double *factor);

/* The factor on lengths before overlay_length_unit: h for units over h, else 1. h 0: unknown. */
static inline double length_unit_scale(const struct length_unit *unit, double h)
{
    return unit && unit->over_h && h > 0 ? h : 1;
}

/* The longest bar of 1, 2 or 5 times a power of ten that takes at most `longest` pixels.
 * `comoving`: the label marks the length as comoving, "20 cMpc". */
void overlay_scale_bar(struct overlay_scale *out, double pixels_per_unit, double longest,
                       double length_kpc, const struct length_unit *unit, bool comoving);

/* Smooth, 0 .. 1; 0 before `from` and at `to`. A short caption is fully opaque only for a
 * moment. */
double overlay_caption_opacity(double seconds, double from, double to, double fade);

/* "16,384 bodies". */
void overlay_count_text(char *out, size_t size, uint64_t bodies);

/* "drift of total +0.012 %": two digits and a true minus sign; "drift of total 0 %" below a
 * millionth of a percent. */
void overlay_drift_text(char *out, size_t size, double percent);
