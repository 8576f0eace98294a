/* How a file says what is transparent. Constant data; thread-safe.
 *
 * Light adds to what is behind it and covers nothing, but files know only covering: alpha. Here a
 * pixel is as opaque as it is bright: alpha is the largest of its red, green and blue as they are
 * shown, after the tone curve. Then
 *
 *   on black      a picture, premultiplied or straight, is the ordinary one, to every bit of RGB
 *   on a colour b shown + (1 - alpha) b: where nothing shines, b; where a channel is full, the
 * light
 *
 * A premultiplied colour is what is shown; a straight one is that divided by alpha, and black where
 * alpha is 0. In RGB all three are counted in codes after the dither, so that no colour exceeds its
 * alpha. In Y'CbCr straight alpha has a dither of its own. */
#ifndef RENDER_PICTURE_ALPHA_H
#define RENDER_PICTURE_ALPHA_H

#include "base/choice.h"
#include "render/picture/format.h"

struct alpha {
    const char *name, *doc;
    enum picture_alpha kind;
};

/* Of struct alpha. */
extern const struct registry alpha_registry;

/* The tag in which a file with alpha says what its colours are; its value is an entry's name. */
#define ALPHA_TAG "gravreel_alpha"

/* Of a file that has alpha and this tag (NULL: none); straight if it does not say, as in PNG. */
enum picture_alpha alpha_told(const char *tag);

#endif
