/* The rules by which films are judged: what is measured, in which unit, and what is allowed.
 *
 * A rule belongs to one stage. A larger value is worse, and 0 means equal. A value is within a
 * limit only if value <= limit, so NaN never is. Limits are not thread-safe while
 * being changed.
 *
 * A new rule is a row of measures.def, which names a recorded value or a function of
 * rule_functions.c; docs/regression.md says where the limit comes from. */
#pragma once

#include "base/choice.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

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

struct lit;
struct met;
struct walk;

struct rule {
    const char *name,
        *doc; /* "picture.unpaired_stars", "stars of 12/255 or more without a partner" */
    enum judged stage;
    const char *unit;    /* "codes" (of 255), "pixels", "%", "" */
    double warn, fail;   /* defaults; INFINITY: never */
    const char *because; /* where the default comes from */
    unsigned flags;      /* RULE_IS_... */
    /* Limits of `compare --lossy`, and what they mean; `means` NULL: none of pictures and
     * containers. */
    struct {
        double warn, fail;
        const char *means;
    } lossy;
    /* How two records are judged (judge.h); NULL: a setting, or other code measures pairs of
     * pictures or single films. */
    void (*judge)(struct walk *walk, const struct rule *rule);
    bool (*when)(const struct walk *walk); /* whether the rule is judged; NULL: always */
    double (*of)(const struct met *met);   /* the value of a frame, unless it is a member */
    /* The member of struct frame_record that is judged, and the largest value that counts. */
    struct {
        bool is;
        size_t offset;
        double most;
    } member;
    /* The bits of the stage, and what they depend on (measures.def). */
    struct {
        bool are;
        size_t hash, platform;
    } bits;
    /* For a pair of pictures: the places in struct measure of the value and of its position. */
    struct {
        enum { PAIRED_NONE, PAIRED_REAL, PAIRED_COUNT, PAIRED_TWO_COUNTS } kind;
        enum { PAIRED_NOWHERE, PAIRED_PIXEL, PAIRED_TILE } at;
        size_t value, place;
        double times, plus;
    } pair;
    double (*lit)(const struct lit *lit); /* for lit pixels of all frames: the change */
    const char *says; /* a printf format for the value; {one|more} is chosen by whether it is 1 */
};

enum {
    RULE_IS_SETTING = 1,   /* a parameter of how other rules are measured or limited; `fail` is its
                            * value, and no value is compared with it */
    RULE_IS_STRUCTURE = 2, /* a difference follows only from a changed scene (or see TIED) */
    RULE_IS_WORST = 8,     /* the value is that of the worst frame, not the mean over all */
    RULE_IS_RECORDED = 16, /* baselines of all versions have the value */
    RULE_IS_TIED = 4,      /* a difference also follows from missing or repeated packets */
};

/* Indices of the rules: &rules[RULE_PICTURE_COUNTED]. */
enum rule_name {
#define RULE(id, ...) RULE_##id,
#include "cmd/regression/record/measures.def"
#undef RULE
    RULE_COUNT
};
extern const struct rule rules[RULE_COUNT];
extern const struct registry rule_registry; /* entries: struct rule, index = enum rule_name */

/* ---- the limits of one comparison: the defaults of the rules, and what replaces them ---- */

struct limits;
void limits_open(struct limits **out);
void limits_close(struct limits **limits); /* accepts a pointer to NULL */

/* Sets a limit: "picture.counted=12" sets both, "picture.counted.warn=3" and
 * "picture.counted.fail=12" set one. "never" is a valid value. Returns STATUS_USAGE on an error;
 * for an unknown name the message suggests the nearest. */
enum status limits_set(struct limits *limits, const char *assignment);

/* Sets the limits of one rule and the reason (copied); NAN leaves a limit unchanged. A warning
 * limit above the failure limit is lowered to it. */
void limits_change(struct limits *limits, const struct rule *rule, double warn, double fail,
                   const char *because);

double limits_fail(const struct limits *limits, const struct rule *rule);
double limits_warn(const struct limits *limits, const struct rule *rule);
/* Returns whether the rule's failure limit was set, even if to the default. */
bool limits_is_given(const struct limits *limits, const struct rule *rule);
/* Returns why the limit is not the default; NULL if it is. Valid until the limit is changed. */
const char *limits_because(const struct limits *limits, const struct rule *rule);

/* Sets every limit of pictures and containers that was not given to one for a film that was
 * re-encoded on purpose, for example for YouTube: other limits for the same rules, and no limit on
 * what encoding is allowed to lose. */
void limits_take_lossy(struct limits *limits);

/* Reads a film's own limits from a YAML file:
 *
 *     picture.counted: {fail: 12, warn: 4, because: TEXT, measured: 9, expires: 2027-01-31}
 *
 * `because`, `measured` (the largest value seen, which the limit must allow) and `expires` (the
 * last day on which the limit is valid) are required, and `fail`, `warn` or both. */

/* `today` is a UTC date, "2026-12-31". Returns STATUS_USAGE with file and line in the message, and
 * the limits partly changed; STATUS_IO when the file cannot be read. */
enum status limits_read(struct limits *limits, const char *path, const char *today);

/* Does the same for a text; `origin` names its source in messages. */
enum status limits_parse(struct limits *limits, const char *text, size_t size, const char *origin,
                         const char *today);
