/* The options that set a key of the scene; their values and help texts are those of the key.
 * Constant data. */
#pragma once

/* The commands that take a scene. */
enum taker {
    TAKER_RENDER = 1,
    TAKER_STILL = 2,
    TAKER_SHEET = 4,
    TAKER_BASELINE = 8,
    TAKER_SIMULATE = 16,
    TAKER_FARM = 32,
    /* commands that draw, and farm, whose tasks do */
    TAKERS_ALL = TAKER_RENDER | TAKER_STILL | TAKER_SHEET | TAKER_BASELINE | TAKER_FARM,
};

struct key_option {
    const char *name, *path, *argument; /* argument NULL: the option alone means true */
    unsigned takers;                    /* of enum taker */
    int group;                          /* of enum help_group */
    int letter, flags;
};

enum { OPTION_KEYS = 1024, OPTION_KEYS_END = 1152 }; /* the numbers of options without a letter */

/* Row i; NULL past the last. */
const struct key_option *key_option_at(int i);

/* The number that argp uses for the option, and the option with a number or a name, such as "size".
 * NULL: none. */
int key_option_number(const struct key_option *option);
const struct key_option *key_option_find(int number);
const struct key_option *key_option_named(const char *name);
