#include "cmd/cli/wish.h"

#include <stddef.h>
#include <string.h>

#define TITLE      "--set 'output.title=Two galaxies' --set overlay.title=true"
#define BACKGROUND "--set look.background=navy"
#define FADE       "--set look.fade_in=1 --set look.fade_out=1"
#define SLOW       "--set 'simulation.slow=[{at: pericentre, factor: 4}]'"
#define CAPTION    "--set 'overlay.captions=[{text: First passage, from: 2, to: 5}]'"
#define SUBTITLE   "--set overlay.card=3 --set 'overlay.subtitle=Two galaxies meet'"

static const struct wish wishes[] = {
    {"title", "set", TITLE},
    {"background", "set", BACKGROUND},
    {"music", "audio", "--audio song.m4a"},
    {"sound", "audio", "--audio song.m4a"},
    {"soundtrack", "audio", "--audio song.m4a"},
    {"transparent", "alpha", "--alpha straight"},
    {"transparency", "alpha", "--alpha straight"},
    {"slow", "set", SLOW},
    {"slowmo", "set", SLOW},
    {"slow-motion", "set", SLOW},
    {"caption", "set", CAPTION},
    {"captions", "set", CAPTION},
    {"text", "set", CAPTION},
    {"subtitle", "set", SUBTITLE},
    {"card", "set", SUBTITLE},
    {"fade", "set", FADE},
    {"fade-in", "set", FADE},
    {"fade-out", "set", FADE},
    {"color", "set", "--set look.color=help"},
    {"colour", "set", "--set look.color=help"},
    {"camera", "set", "--set camera=help"},
    {"orbit", "set", "--set camera.orbit=180"},
    {"zoom", "set", "--set camera.zoom=2"},
    {"length", "duration", "--duration 20"},
    {"resolution", "size", "--size 1920x1080"},
    {"width", "size", "--size 1920x1080"},
    {"height", "size", "--size 1920x1080"},
    {"quality", "crf", "--crf 18"},
    {"threads", "set", "--set output.threads=8"},
};

const struct wish *wish_find(const char *word)
{
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++)
        if (strcmp(wishes[i].word, word) == 0)
            return &wishes[i];
    return NULL;
}
