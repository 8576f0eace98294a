/* Parses the arguments of a subcommand, and whole numbers as values of options. */
#pragma once

#include "base/choice.h"
#include "base/status.h"
#include "cmd/cli/help/help_page.h"

#include <stdint.h>
#include <stdio.h>

/* Completes the end of a command line, for the shells: one candidate per line, followed by a tab
 * and its meaning. The line ":files" means that names of files are possible, too. */

/* `gravreel --complete WORDS...` completes the last word, which may be empty. */
#define COMPLETE_WORD "--complete"

/* Prints a candidate if it begins with `word`. `doc` may be NULL; its first clause is shown. */
void complete_offer(FILE *file, const char *word, const char *name, const char *doc);

/* Prints the possible values of a key or option: `--codec help`, `--set look.color=help`, `--set
 * look=help`. */

/* `path` is a scene's key, such as look.color, one of its sections, or "backend"; otherwise
 * STATUS_USAGE. */
enum status choices_print(const char *path);

/* Lists the names of a registry with their documentation, one per line. */
void choices_list(const struct registry *registry);

/* STATUS_USAGE if `name` is neither "auto" nor a backend. */
enum status choices_check_backend(const char *name);

/* Runs argp. Ends the process after --help (-h, -?), --help=man, --usage and a shell's request to
 * complete a command line, and with exit code 2 for a missing argument. `name` is the
 * subcommand's. STATUS_USAGE for an unknown option, with a similar one suggested, and if the parser
 * returned an error number, having set the message. */
struct argp;
enum status arguments_parse(const struct argp *argp, const char *name, int argc, char **argv,
                            void *input);

/* STATUS_USAGE, with `option` ("--columns") in the message, unless the text is a whole number from
 * `least` to `most`. */
enum status number_parse(const char *option, const char *text, uint64_t least, uint64_t most,
                         uint64_t *out);

/* The same from 1 to `most`, for counts of 32 bits. */
enum status count_parse(const char *option, const char *text, uint32_t most, uint32_t *out);

/* ---- options that set a key ---- */

/* The commands that take a scene. */
enum taker {
    TAKER_RENDER = 1,
    TAKER_STILL = 2,
    TAKER_SHEET = 4,
    TAKER_BASELINE = 8,
    TAKER_SIMULATE = 16,
    TAKER_FARM = 32,
    TAKER_VIEW = 64,
    TAKER_RESUME = 128, /* its scene is that of the film */
    /* commands that draw, and farm, whose tasks do */
    TAKERS_ALL =
        TAKER_RENDER | TAKER_STILL | TAKER_SHEET | TAKER_BASELINE | TAKER_FARM | TAKER_VIEW,
    TAKERS_FILM = TAKER_RENDER | TAKER_BASELINE | TAKER_FARM, /* that encode a film */
    TAKERS_PHYSICS = TAKERS_ALL | TAKER_SIMULATE,             /* that simulate */
};

/* An option that sets a key of the scene; its values and help text are those of the key. */
struct key_option {
    const char *name, *path, *argument; /* argument NULL: the option alone means true */
    unsigned takers;                    /* of enum taker */
    int group;                          /* of enum help_group */
    int letter, flags;
};

enum { OPTION_KEYS = 1024, OPTION_KEYS_END = 1152 }; /* the numbers of options without a letter */

enum { KEY_OPTIONS = 18 };
extern const struct key_option key_options[KEY_OPTIONS];

/* The number that argp uses for the option. */
int key_option_number(const struct key_option *option);

/* The option with that number, or of that name, such as "size"; NULL: none. */
const struct key_option *key_option_find(int number);
const struct key_option *key_option_named(const char *name);
