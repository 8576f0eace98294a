/* Colours as people write them. Thread-safe. */
#ifndef SCENES_COLOUR_H
#define SCENES_COLOUR_H

#include "base/status.h"
#include "render/params.h"

#include <stddef.h>

/* "#ff8800", or a name of CSS such as orange, in any case: red, green and blue as shown on a
 * display, 0 to 1. STATUS_USAGE says what was found, and the nearest name. `length` bytes of `text`
 * count. */
enum status colour_parse(const char *text, size_t length, double shown[3]);

/* "disk=#ff8800, Milky Way=orange, Andromeda/bulge=white": who has which colour; "" for nobody.
 * STATUS_USAGE for another form, a bad colour and what is named twice; *out is then as before. Else
 * it is freed first. */
enum status tints_parse(const char *text, struct tints *out);
void tints_free(struct tints *tints); /* accepts one all zero */

#endif
