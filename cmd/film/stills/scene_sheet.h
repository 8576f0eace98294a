/* A contact sheet of the scenes that ship: a row of moments each. */
#ifndef CMD_FILM_STILLS_SCENE_SHEET_H
#define CMD_FILM_STILLS_SCENE_SHEET_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct scene_sheet_params {
    const char *output;  /* the PNG */
    uint64_t bodies;     /* of each scene, at most; what a file has is thinned to it */
    uint32_t width;      /* of the sheet, pixels */
    uint32_t frames;     /* that each film is cut to, at most; 0: whole films */
    const char *only;    /* the name of one scene; NULL: all */
    const char *backend; /* as for simulation_open */
    int device;
};

/* Says at info level which scene it draws, and warns of those whose file of bodies is not there;
 * they are left out. STATUS_USAGE when none is left. */
enum status scene_sheet_make(const struct scene_sheet_params *params);

#endif
