/* The quantities that stay constant in a galaxy in equilibrium. */
#pragma once

#include "sim/models/models.h"
#include "sim/simulation.h"

struct shape {
    double disk_radius;  /* contains half of the disk, about its own centre, in the plane */
    double disk_height;  /* half of the disk is closer to the plane */
    double bulge_radius; /* contains half of the bulge */
    double drift;        /* distance of the disk's centre from that of all bodies, or the bulge's if
                            that is more */
    double bar;          /* A2: largest |sum exp(2 i phi)| / n in rings of the disk's inner half */
    double virial, energy; /* 2T/|W| */
};

enum status shape_measure(struct simulation *simulation, struct shape *out);

/* Time of a circular orbit at two scale lengths of the first galaxy's disk. */
double shape_rotation(const struct bodies_params *params);
