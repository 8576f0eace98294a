#include "cmd/cli/key_options.h"

#include "cmd/cli/help/page.h"

#include <argp.h>
#include <string.h>

enum { FILMS = TAKER_RENDER | TAKER_BASELINE | TAKER_FARM, PHYSICS = TAKERS_ALL | TAKER_SIMULATE };

static const struct key_option key_options[] = {
    {"--bodies", "bodies.count", "N", PHYSICS, HELP_SCENE, 'n', 0},
    {"--bodies-format", "bodies.format", "NAME", TAKERS_ALL, HELP_SCENE, 0, 0},
    {"--seed", "bodies.seed", "N", PHYSICS, HELP_SCENE, 0, 0},
    {"--size", "output.size", "WxH", TAKERS_ALL, HELP_SCENE, 0, 0},
    {"--fps", "output.fps", "RATE", TAKERS_ALL, HELP_SCENE, 0, 0},
    {"--codec", "output.codec", "NAME", FILMS, HELP_ENCODING, 0, 0},
    {"--crf", "output.crf", "N", FILMS, HELP_ENCODING, 0, 0},
    {"--preset", "output.preset", "NAME", FILMS, HELP_ENCODING, 0, 0},
    {"--bits", "output.bits", "N", FILMS, HELP_ENCODING, 0, 0},
    {"--chroma", "output.chroma", "MODE", FILMS, HELP_ENCODING, 0, 0},
    {"--pad", "output.pad", NULL, FILMS, HELP_ENCODING, 0, 0},
    {"--deterministic", "output.deterministic", "BOOL", FILMS, HELP_ENCODING, 0,
     OPTION_ARG_OPTIONAL},
    {"--audio", "output.audio", "FILE", FILMS, HELP_ENCODING, 0, 0},
    {"--alpha", "output.alpha", "none|straight|premultiplied", FILMS | TAKER_STILL, HELP_ENCODING,
     0, 0},
    {"--png-bits", "output.png_bits", "N", FILMS | TAKER_STILL, HELP_ENCODING, 0, 0},
    {"--exr-bits", "output.exr_bits", "N", FILMS | TAKER_STILL, HELP_ENCODING, 0, 0},
};

enum { COUNT = sizeof key_options / sizeof key_options[0] };
_Static_assert(OPTION_KEYS + COUNT <= OPTION_KEYS_END, "raise OPTION_KEYS_END");

const struct key_option *key_option_at(int i)
{
    return i < COUNT ? &key_options[i] : NULL;
}

int key_option_number(const struct key_option *option)
{
    return option->letter ? option->letter : OPTION_KEYS + (int)(option - key_options);
}

const struct key_option *key_option_find(int number)
{
    for (int i = 0; i < COUNT; i++)
        if (key_option_number(&key_options[i]) == number)
            return &key_options[i];
    return NULL;
}

const struct key_option *key_option_named(const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (strcmp(key_options[i].name + 2, name) == 0)
            return &key_options[i];
    return NULL;
}
