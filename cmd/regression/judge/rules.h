/* The rules by which films are judged: what is measured, in which unit, and what is allowed.
 *
 * A rule belongs to one stage. A larger value is worse, and 0 means equal. A value is within a
 * limit only if value <= limit, so NaN never is. limits.h has the limits of a comparison.
 *
 * A new rule is a row of rules.def and a function of measures.c; docs/regression.md says where the
 * limit comes from. */
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

struct frame_record;
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
    bool (*when)(const struct walk *walk);                        /* whether it is; NULL: always */
    double (*of)(const struct walk *walk, const struct met *met); /* the value of a frame */
    const char *says; /* a printf format for the value, with {one|more} by number */
};

enum {
    RULE_IS_SETTING = 1,   /* a parameter of how other rules are measured or limited; `fail` is its
                            * value, and no value is compared with it */
    RULE_IS_STRUCTURE = 2, /* only a changed scene, or what TIED says, explains a difference */
    RULE_IS_TIED = 4,      /* frames missing or repeated in the packets explain a difference */
};

/* Indices of the rules: &rules[RULE_PICTURE_COUNTED]. */
enum rule_name {
#define RULE(id, ...) RULE_##id,
#include "cmd/regression/judge/rules.def"
#undef RULE
    RULE_COUNT
};
extern const struct rule rules[RULE_COUNT];
extern const struct registry rule_registry; /* entries: struct rule, index = enum rule_name */
