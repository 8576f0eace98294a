/* The radius in which the kernel of a body of gas ends, its support, from the columns of a file.
 * Programs mean different things by a smoothing length: GADGET and AREPO the support itself; SWIFT
 * two standard deviations, which a cubic spline of 1.825742 times that support has (W. Dehnen and
 * H. Aly, MNRAS 425, 1068 (2012)); SPLASH, Phantom and pynbody half of the support. AREPO's cells
 * have mass and density instead: as in pynbody, the radius of the cell, as a sphere, is half of the
 * support. */
#ifndef SIM_FORMATS_KERNEL_H
#define SIM_FORMATS_KERNEL_H

#include "sim/formats/snapshot.h"

/* Whether a column of that name may be what the radius is found from. */
bool kernel_takes(const char *name);

/* Adds the column BODY_KERNEL to bodies of which something of the kind is known: of the components
 * gas where there are some, else of all; NaN: not known of this body. Takes away what was read for
 * it alone. `path` is for messages. STATUS_RUNTIME when memory is short. */
enum status kernel_make(struct snapshot *snapshot, const char *path);

#endif
