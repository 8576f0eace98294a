/* The radius (support) of a gas body's kernel, from the columns of a file. Programs define
 * smoothing lengths differently: GADGET and AREPO as the support; SWIFT as two standard deviations,
 * which belongs to a cubic spline with 1.825742 times that support (W. Dehnen and H. Aly, MNRAS
 * 425, 1068 (2012)); SPLASH, Phantom and pynbody as half of the support. AREPO's cells have mass
 * and density instead: as in pynbody, the radius of the cell, taken as a sphere, is half of the
 * support. */
#pragma once

#include "sim/formats/snapshot.h"

/* Whether the radius can be derived from a column with that name. */
bool kernel_takes(const char *name);

/* Adds the column BODY_KERNEL if the file has a source for it: for bodies of the component gas if
 * there is one, otherwise of all; NaN: unknown for this body. Removes columns that were read only
 * for it. `path` is for messages. STATUS_RUNTIME when out of memory. */
enum status kernel_make(struct snapshot *snapshot, const char *path);
