/* The key table: one row per key of the scene, and the only place that states types, defaults,
 * ranges and meanings. Everything else (reading, --set, checking, printing, the reference) iterates
 * over it. Constant data and pure functions; thread-safe.
 *
 * A new key is a row of keys.c with its range, and a field in sim/params.h or render/params.h. A
 * rule between keys is in scene_check.c, the option for a key in cmd/cli/options.c. */
#pragma once

#include "base/choice.h"
#include "render/params.h"
#include "sim/params.h"

#include <stdbool.h>
#include <stddef.h>

enum { KEYS_MAX = 192, LIST_KEYS_MAX = 48, SECTION_COUNT = 8 };

/* The values of a scene, by section. */
struct scene {
    struct bodies_params bodies;
    struct simulation_params simulation;
    struct camera_params camera;
    struct look_params look;
    struct overlay_params overlay;
    struct output_params output;
    struct expect_params expect;
    /* Keyframes of the keys, indexed like scene_keys. The value of such a key is the largest one
     * (or least, see enum key_keyed), by which it is known what the film needs. */
    struct track tracks[KEYS_MAX];
    /* Not keys: a run that has the motion, which scene_close closes; NULL: none, or not the
     * scene's. */
    struct run *run; /* sim/run/run.h */
    void (*close_run)(struct run **run);
};

enum key_type {
    KEY_NUMBER, /* double */
    KEY_U32,    /* uint32_t; 0 stands for the default if that is a word, such as "auto" */
    KEY_U64,
    KEY_FLAG,     /* bool */
    KEY_TEXT,     /* char *, owned, never NULL */
    KEY_CHOICE,   /* const pointer to an entry of the key's registry; NULL: the default, if that is
                   * a word such as "auto" or "" and not an entry */
    KEY_MOMENT,   /* struct moment, see value.h */
    KEY_EXPOSURE, /* struct exposure: a number, or an entry of the key's registry */
    KEY_SIZE,     /* struct picture_size: "1280x720" or "vertical", see value.h */
    KEY_RATE,     /* struct frame_rate: "30", "29.97" or "30000/1001" */
    KEY_VECTOR,   /* double[3] */
    KEY_COLOR,    /* struct shown_colour: "orange" or "#ff8800", see value.h */
    KEY_TINTS,    /* struct tints: "disk=orange, bulge=#ffffff", see value.h */
    KEY_LIST,     /* pointer to items and a uint32_t count, see struct key_list */
};

/* The halves of a scene. What moves decides whether bodies, checkpoints, runs and ranges of a film
 * fit together; how it looks never does. */
enum scene_half { HALF_MOTION, HALF_LOOK };

/* Whether a number may have keyframes. */
enum key_keyed {
    KEYED_NOT,
    KEYED,
    KEYED_ABOVE_0, /* except 0, which stands for a choice that is made at the start */
    KEYED_LEAST,   /* and the least of its values stands for all */
};

struct key {
    const char *section, *name;
    enum key_type type;
    size_t offset;        /* in struct scene; in the item for a list's keys */
    const char *fallback; /* the default as in YAML; NULL: must be given */
    double min, max;      /* of numbers, both included unless `above`; of others 0 */
    bool above;           /* min itself is excluded */
    const char *unit;     /* NULL when it has none */
    const char *choices;  /* the only numbers, separated by spaces; NULL: no such list */
    const char *doc;
    const struct key_list *list;
    const struct registry *registry;
    bool names_file; /* its value is the name of a file */
    bool crosses;    /* belongs to the other half than its section or, in an item, than its list */
    bool clock;      /* of what moves, but only by the times of the frames (sim/frame_clock.h) */
    bool rare;       /* printed only if it does not have its default */
    bool lines;      /* a multi-line text; \n on a command line starts a new line */
    enum key_keyed keyed;
};

/* A sequence of mappings. */
struct key_list {
    const struct key *keys;
    size_t key_count, item_size;
    size_t count_offset; /* of the uint32_t count, in struct scene */
    size_t item_max;
    const char *example; /* in flow style, as on a command line */
};

/* The keyframes of a scene's key as a list of the scene. The pointers within it lead to itself. */
enum { TRACK_KEYS = 3, TRACK_MAX = 256 };
struct key_track {
    struct key key;
    struct key_list list;
    struct key items[TRACK_KEYS];
};

struct key_section {
    const char *name, *doc;
    enum scene_half half;
    bool limits; /* keys are limits; printed only if one of them is set */
};

extern const struct key scene_keys[];
extern const size_t scene_key_count;
extern const struct key_section scene_sections[SECTION_COUNT];

/* Index of a section, or -1. Compares `length` bytes of `name`. */
int key_section_find(const char *name, size_t length);

/* Index in scene_keys of a section's key, or -1. */
int key_find(const char *section, const char *name);

/* Writes "section.key". */
enum { KEY_PATH = 64 };
void key_path(const struct key *key, char out[KEY_PATH]);

/* The key that "section.key" names; NULL when there is none. */
const struct key *key_path_find(const char *path);

/* The half of a key of the scene, or of a key of its list's items; item NULL: the key itself. */
enum scene_half key_half(const struct key *key, const struct key *item);

/* The half of "section.key", "section.list[2]" or "section.list[2].key"; HALF_LOOK if there is no
 * such key. */
enum scene_half key_path_half(const char *path);

/* "motion" or "look". */
const char *half_name(enum scene_half half);

/* Whether its value is a text, which needs no quotes on a command line. */
bool key_is_word(const struct key *key);

/* False: the key has none. */
bool key_track(const struct key *key, struct key_track *out);

/* The track itself; NULL: the key has none. */
struct track *key_track_of(const struct key *key, const struct scene *scene);

/* The list of the key or of its keyframes, for the names of its keys; NULL: it has none. */
const struct key_list *key_list_of(const struct key *key);

/* Index of a list's key, or -1. */
int key_list_find(const struct key_list *list, const char *name);

/* The names of a section's keys, or of the sections, "a, b, c". */
void key_names(const char *section, char *out, size_t size);
