/* The key table: one row a key of the scene, and the one place that states types, defaults, ranges
 * and meanings. Everything else (reading, --set, checking, printing, the reference) walks it.
 * Constant data and pure functions; thread-safe. */
#ifndef SCENES_KEYS_H
#define SCENES_KEYS_H

#include "base/choice.h"

#include <stdbool.h>
#include <stddef.h>

enum key_type {
    KEY_NUMBER, /* double */
    KEY_U32,
    KEY_U64,
    KEY_FLAG,   /* bool */
    KEY_TEXT,   /* char *, owned, never NULL */
    KEY_CHOICE, /* const pointer to an entry of the key's registry; NULL: the default, if that is
                   no entry's name but a word such as "auto" or "" */
    KEY_SIZE,   /* char *: "1280x720" or "720p", see frame.h */
    KEY_RATE,   /* char *: "30", "29.97" or "30000/1001" */
    KEY_VECTOR, /* double[3] */
    KEY_LIST,   /* pointer to items and a uint32_t count: see struct key_list */
};

struct key {
    const char *section, *name;
    enum key_type type;
    size_t offset;        /* in struct scene; in the item for a list's keys */
    const char *fallback; /* the default as it stands in YAML; NULL: must be given */
    double min, max;      /* of numbers, both included unless `above` */
    bool above;           /* min itself is excluded */
    const char *unit;     /* "" when it has none */
    const char *choices;  /* the only numbers, separated by spaces; NULL: no such list */
    const char *doc;
    const struct key_list *list;
    const struct registry *registry;
};

/* A sequence of mappings. */
struct key_list {
    const struct key *keys;
    size_t key_count, item_size;
    size_t count_offset; /* of the uint32_t count, in struct scene */
    size_t item_max;
};

enum { KEYS_MAX = 128, LIST_KEYS_MAX = 16, SECTION_COUNT = 7, KEY_RANGE_MAX = 256 };

struct key_section {
    const char *name, *doc;
    size_t offset, size; /* in struct scene */
};

extern const struct key scene_keys[];
extern const size_t scene_key_count;
extern const struct key_section scene_sections[SECTION_COUNT];

/* Index of a section, or -1. `length` bytes of `name` count. */
int key_section_find(const char *name, size_t length);

/* Index in scene_keys of a section's key, or -1. */
int key_find(const char *section, const char *name);

/* "a number > 0", "a whole number, 1 to 64", "true or false": what the key wants. */
void key_wants(const struct key *key, char *out, size_t size);

/* The range alone, "" when any value will do: "> 0", "1 to 64", "8 or 16". */
void key_range(const struct key *key, char *out, size_t size);

/* Whether `text` (a plain scalar; quoted when `quoted`) has the form that the key's type wants and
 * fits its C type. Ranges are not checked here, except that a number must be finite. */
bool key_accepts(const struct key *key, const char *text, bool quoted);

/* Whether `number` is one of the key's choices (or it has none). */
bool key_offers(const struct key *key, const char *number);

/* What a word stands for at a KEY_CHOICE. STATUS_USAGE names the nearest one or all. */
enum status key_choose(const struct key *key, const char *word, const struct choice **out);

/* The word of an entry, or of NULL. */
const char *key_word(const struct key *key, const struct choice *entry);

/* The names of a section's keys, or of the sections, "a, b, c". */
void key_names(const char *section, char *out, size_t size);

#endif
