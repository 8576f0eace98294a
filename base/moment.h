/* A moment of the film, as a scene names it; scenes/words.h has the syntax. */
#pragma once

enum moment_kind {
    MOMENT_SECONDS,
    MOMENT_FRAME,
    MOMENT_TIME,
    MOMENT_START,
    MOMENT_END,
    MOMENT_PERICENTRE, /* from here on: events */
    MOMENT_APOCENTRE,
    MOMENT_MERGER,
};

struct moment {
    enum moment_kind kind;
    double value; /* seconds, frame or time; for a pericentre or apocentre its number, from 1 */
    double shift; /* seconds */
    char *text;   /* as written in the scene, which owns it; NULL elsewhere */
};
