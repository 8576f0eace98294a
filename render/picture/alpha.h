/* How a file stores transparency. Constant data; thread-safe.
 *
 * Light adds to what is behind it and covers nothing, but alpha can only express coverage. Here a
 * pixel is as opaque as it is bright: alpha is the largest of its red, green and blue as shown,
 * after the tone curve. Then
 *
 *     on black      a picture, premultiplied or straight, is the ordinary one, to every bit of RGB
 *     on a colour b shown + (1 - alpha) b: b where there is no light; the light where a channel is
 *   full
 *
 * A premultiplied colour is the shown colour; a straight one is the shown colour divided by alpha,
 * and black where alpha is 0. In RGB all three are counted in codes after the dither, so that no
 * colour exceeds its alpha. In Y'CbCr straight alpha has a dither of its own. */
#pragma once

#include "base/choice.h"
#include "render/picture/format.h"

struct alpha {
    const char *name, *doc;
    enum picture_alpha kind;
};

/* Entries are struct alpha. */
extern const struct registry alpha_registry;

/* The tag that says how colours relate to alpha in a file; its value is an entry's name. */
#define ALPHA_TAG "gravreel_alpha"

/* For a file with alpha and this tag (NULL: none); straight if the tag is missing, as in PNG. */
enum picture_alpha alpha_told(const char *tag);
