/* The values of keys, by type: read from a scalar's text, checked, printed and freed. `at` points
 * to the value, which is at the key's offset in the scene or item. Thread-safe. */
#pragma once

#include "base/clock.h"
#include "base/status.h"
#include "render/params.h"
#include "scenes/keys.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { EXPECTED_MAX = 256 };

/* Sets the key's default in zeroed memory; does nothing for required keys and lists. */
void value_default(const struct key *key, void *at);

/* Replaces a value by that of a scalar. STATUS_USAGE, "expected ..., found ...", when the text does
 * not have the form of the key's type, or does not fit its C type. Numbers need only be finite
 * here; value_check checks ranges. Not for vectors and lists. */
enum status value_read(const struct key *key, const char *text, bool quoted, void *at);

/* Checks the range. STATUS_USAGE, "expected ..., found ...". */
enum status value_check(const struct key *key, const void *at);

/* Prints a YAML scalar, or a vector in flow style; not for lists. */
void value_print(FILE *file, const struct key *key, const void *at);
char *value_text(const struct key *key, const void *at); /* the caller frees it */

/* Sets the value of a key that has keyframes to the one that stands for all. STATUS_USAGE: it has
 * none. */
enum status value_settle(const struct key *key, struct scene *scene);

/* A scene's value of a key, or its keyframes in flow style; not for lists. The caller frees it. */
char *value_in_scene(const struct key *key, const struct scene *scene);

/* Keeps only the first keyframe, and moves it to the start. */
void value_hold(const struct key *key, struct scene *scene);

/* Frees what the key's value in a scene or item owns. */
void value_free(const struct key *key, void *base);

/* Swaps the key's values of two scenes or items. */
void value_swap(const struct key *key, void *a, void *b);

/* The items of a scene's list, and their number; list_create allocates zeroed room for the largest
 * allowed number. */
char *list_create(const struct key *key, void *scene);
char *list_items(const struct key *key, const void *scene);
uint32_t *list_count(const struct key *key, const void *scene);

/* "a number > 0", "a whole number, 1 to 64", "true or false". */
void value_expected(const struct key *key, char *out, size_t size);

/* Only the range, "" if any value is allowed: "> 0", "1 to 64", "fast, exact, double". */
void value_range(const struct key *key, char *out, size_t size);

/* Texts as YAML scalars. Thread-safe. */

/* Plain where every reader of YAML takes it for a text, else in double quotes, escaped. */
void quote_print(FILE *file, const char *text);

/* Always in double quotes. The caller frees it. */
char *quote_text(const char *text);

/* Colours as people write them. Thread-safe. */
/* Parses "#ff8800", or a CSS name such as orange, in any case, from `length` bytes of `text`: red,
 * green and blue as display values, 0 to 1. STATUS_USAGE says what was found, and the nearest
 * name. */
enum status colour_parse(const char *text, size_t length, double shown[3]);

/* Parses colours by name: "disk=#ff8800, Milky Way=orange, Andromeda/bulge=white"; "" for none.
 * STATUS_USAGE for another form, an invalid colour or a repeated name leaves *out unchanged;
 * success frees its old content. */
enum status tints_parse(const char *text, struct tints *out);
void tints_free(struct tints *tints); /* accepts all zero */

/* Moments of a film as people write them.
 *
 *     12.5, 1:30   seconds of the film, or minutes and seconds
 *     frame 100    counted from 0
 *     t=30         simulated time
 *     start, end   the first and the last frame
 *     pericentre, pericentre 2, apocentre, merger
 *                  of the first two galaxies, see sim/pilot/pilot.h; counted from 1
 *
 * Each may be followed by + 2 or - 1.5, in seconds of the film. Pure functions; thread-safe. */
/* Sets out->text to NULL. STATUS_USAGE says what is expected and, for a misspelt word, suggests the
 * right one. */
enum status moment_parse(const char *text, struct moment *out);

/* "pericentre"; "" for seconds, "t" for a time. */
const char *moment_word(enum moment_kind kind);

/* Sizes and frame rates as people write them. Pure functions, thread-safe. */
/* "1280x720", or one of 720p, 1080p, 1440p, 2160p, 4k, 8k, vertical and square in any case. The
 * caller checks ranges; a number beyond 32 bits is not a size. */
bool frame_size_parse(const char *text, uint32_t *width, uint32_t *height);

/* "30", "12.5", "30000/1001". The customary short forms 23.976 (23.98), 29.97, 47.952, 59.94 and
 * 119.88 mean n * 1000/1001 exactly; other decimals, of at most three places, are taken literally.
 * Reduced. Zero is not a rate. */
bool frame_rate_parse(const char *text, uint32_t *num, uint32_t *den);
