/* The rules by which films are judged: what is measured, in which unit, and what is allowed.
 *
 * A rule belongs to one stage. A larger value is worse, and 0 means equal. A value is within a
 * limit only if value <= limit, so NaN never is. limits.h has the limits of a comparison. */
#pragma once

#include "base/choice.h"

#include <stdbool.h>

/* Stages in the order in which they are judged: the first that differs names the cause. */
enum judged {
    JUDGED_SCENE,
    JUDGED_START, /* the initial state */
    JUDGED_PHYSICS,
    JUDGED_LIGHT, /* linear, before exposure and tone curve */
    JUDGED_PICTURE,
    JUDGED_PACKETS,
    JUDGED_CONTAINER,
    JUDGED_COUNT
};

/* "scene", "start", "physics", "light", "picture", "packets", "container". */
extern const struct registry judged_registry; /* entries: struct choice, index = enum judged */
const char *judged_name(enum judged stage);

struct rule {
    const char *name,
        *doc; /* "picture.unpaired_stars", "stars of 12/255 or more without a partner" */
    enum judged stage;
    const char *unit;    /* "codes" (of 255), "pixels", "%", "" */
    double warn, fail;   /* defaults; INFINITY: never */
    const char *because; /* where the default comes from */
    bool setting; /* a parameter of how other rules are measured or limited; `fail` is its value,
                   * and no value is compared with it */
};

/* Indices of the rules: &rules[RULE_PICTURE_COUNTED]. */
enum rule_name {
    RULE_SCENE_KEYS,

    RULE_START_BITS,
    RULE_START_BODIES,
    RULE_START_DISTANCE,

    RULE_PHYSICS_BITS,
    RULE_PHYSICS_FORCES_FAST,
    RULE_PHYSICS_FORCES_DOUBLE,
    RULE_PHYSICS_JUMP,
    RULE_PHYSICS_BEGINS,
    RULE_PHYSICS_POSITIONS,
    RULE_PHYSICS_ENERGY,
    RULE_PHYSICS_MOMENTUM,
    RULE_PHYSICS_ANGULAR_MOMENTUM,
    RULE_PHYSICS_CENTRE,
    RULE_PHYSICS_HALF_MASS,
    RULE_PHYSICS_TIMES,
    RULE_PHYSICS_EXPECTED,

    RULE_LIGHT_BITS,
    RULE_LIGHT_BROKEN,
    RULE_LIGHT_SUM,

    RULE_PICTURE_SIZE,
    RULE_PICTURE_BITS,
    RULE_PICTURE_BROKEN,
    RULE_PICTURE_FREE,
    RULE_PICTURE_COUNTS_FROM,
    RULE_PICTURE_PIXEL,
    RULE_PICTURE_COUNTED,
    RULE_PICTURE_COUNTED_FLOOR,
    RULE_PICTURE_COUNTED_OF_LIT,
    RULE_PICTURE_TILE_COUNTED,
    RULE_PICTURE_TILE_MEAN,
    RULE_PICTURE_TILE_LIGHT,
    RULE_PICTURE_TILE_LINE,
    RULE_PICTURE_STAR,
    RULE_PICTURE_UNPAIRED_STARS,
    RULE_PICTURE_BIAS,
    RULE_PICTURE_LIGHT,
    RULE_PICTURE_LIGHT_ABOVE,
    RULE_PICTURE_LIGHT_PIXELS,
    RULE_PICTURE_SSIM,
    RULE_PICTURE_SSIM_MEAN,
    RULE_PICTURE_PSNR,
    RULE_PICTURE_PSNR_WORST,
    RULE_PICTURE_COLOUR,
    RULE_PICTURE_LIT_LIGHT,
    RULE_PICTURE_BRIGHTNESS,
    RULE_PICTURE_CHANNEL,
    RULE_PICTURE_HUE,
    RULE_PICTURE_PALER,
    RULE_PICTURE_RICHER,
    RULE_PICTURE_DETAIL,
    RULE_PICTURE_LAYOUT,
    RULE_PICTURE_SHIFT,
    RULE_PICTURE_THUMBNAIL,
    RULE_PICTURE_MEAN_LIGHT,

    RULE_SEQUENCE_COUNT,
    RULE_SEQUENCE_ORDER,
    RULE_SEQUENCE_FAILED,
    RULE_SEQUENCE_WARNED,
    RULE_SEQUENCE_LIGHT,
    RULE_SEQUENCE_TREND,
    RULE_SEQUENCE_MEAN_LIGHT,

    RULE_PACKETS_BITS,
    RULE_PACKETS_ORDER,
    RULE_PACKETS_DECODED,
    RULE_PACKETS_KEYS,
    RULE_PACKETS_PSNR_MEAN,
    RULE_PACKETS_PSNR_WORST,
    RULE_PACKETS_CHROMA_MEAN,
    RULE_PACKETS_CHROMA_WORST,
    RULE_PACKETS_SSIM_MEAN,
    RULE_PACKETS_SSIM_WORST,
    RULE_PACKETS_BIAS,

    RULE_CONTAINER_FIELDS,
    RULE_CONTAINER_COLOURS,
    RULE_CONTAINER_PLAYED,
    RULE_CONTAINER_TAGS,
    RULE_CONTAINER_KEYS,
    RULE_CONTAINER_FRAMES,
    RULE_CONTAINER_TIMES,
    RULE_CONTAINER_SIZE,
    RULE_CONTAINER_BOXES,

    /* Rules for a single film, used by verify. */
    RULE_FILM_SCENE,
    RULE_FILM_BLACK,
    RULE_FILM_FROZEN,
    RULE_FILM_ORDER,
    RULE_FILM_REDRAWN,
    RULE_FILM_REDRAWN_BITS,
    RULE_FILM_REDRAWN_ORDER,
    RULE_FILM_LIT_LIGHT,
    RULE_FILM_BRIGHTNESS,
    RULE_FILM_CHANNEL,
    RULE_FILM_HUE,
    RULE_FILM_PALER,
    RULE_FILM_RICHER,
    RULE_FILM_DETAIL,
    RULE_FILM_LAYOUT,
    RULE_FILM_SHIFT,
    RULE_FILM_WARNINGS,
    RULE_FILM_GOPS,
    RULE_FILM_COLOURS,
    RULE_FILM_STEPS,

    RULE_COUNT
};
extern const struct rule rules[RULE_COUNT];
extern const struct registry rule_registry; /* entries: struct rule, index = enum rule_name */
