#include "render/picture/alpha.h"

#include "render/params.h"

#include <string.h>

static const struct alpha alphas[] = {
    {"none", "opaque", ALPHA_NONE},
    {"straight",
     "transparent where it is dark, for programs that follow the PNG standard: browsers, GIMP; a "
     "pixel's alpha is its brightest channel",
     ALPHA_STRAIGHT},
    {"premultiplied",
     "the same with colours multiplied by alpha, as compositing programs can be told to read them: "
     "the ordinary picture, with alpha",
     ALPHA_PREMULTIPLIED},
};

const struct registry alpha_registry = REGISTRY_OF("alpha", alphas);

enum picture_alpha alpha_told(const char *tag)
{
    const struct alpha *told = tag ? choice_find(&alpha_registry, tag) : NULL;
    return told && told->kind == ALPHA_PREMULTIPLIED ? ALPHA_PREMULTIPLIED : ALPHA_STRAIGHT;
}
