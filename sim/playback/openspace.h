/* A series of snapshots for OpenSpace, https://docs.openspaceproject.com: NAME.asset and, for each
 * component that is drawn, NAME.COMPONENT.csv beside it for a RenderableInterpolatedPoints, whose
 * rows are the places of all its bodies in the first snapshot, then in the second, and so on. */
#pragma once

#include "sim/params.h"

/* What was written. */
struct openspace_export {
    size_t bodies, steps, left_out; /* left_out: drawn bodies that a snapshot lacks */
    bool sized;                     /* lengths are known; otherwise a unit counts as a kpc */
};

/* `params`: of the series; its units are those of the files. STATUS_USAGE where a file of
 * data exists, unless it may be replaced, where the
 * snapshots have no drawn bodies in common, and as series_open. */
enum status openspace_write(const char *path, const struct bodies_params *params, bool overwrite,
                            struct openspace_export *out);
