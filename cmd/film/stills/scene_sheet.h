/* A contact sheet of the built-in scenes: a row of moments each. */
#pragma once

#include "base/status.h"

#include <stdint.h>

struct scene_sheet_params {
    const char *output;  /* the PNG */
    uint64_t bodies;     /* per scene, at most; files are thinned to it */
    uint32_t width;      /* of the sheet, pixels */
    uint32_t frames;     /* largest length of each film; 0: whole films */
    const char *only;    /* the name of a single scene; NULL: all */
    const char *backend; /* as for simulation_open */
    int device;
};

/* Logs at info level which scene it draws. Scenes whose bodies file is missing are left out with a
 * warning. STATUS_USAGE when none is left. */
enum status scene_sheet_make(const struct scene_sheet_params *params);
