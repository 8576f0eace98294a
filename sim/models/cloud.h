/* Shared by the models of a single cloud: one component of bodies of equal mass, in N-body units,
 * with the virial ratio of the scene. */
#pragma once

#include "sim/bodies/bodies.h"
#include "sim/params.h"

/* Makes params->count bodies with a total mass of 1 in one component of that name; everything else
 * is zero. With params->divide, makes this rank's share of them. STATUS_USAGE without a count,
 * STATUS_RUNTIME when they do not fit in memory. */
enum status cloud_create(const struct bodies_params *params, const char *name, struct bodies **out);

/* The number among all of the first body. */
static inline size_t cloud_first(const struct bodies *bodies)
{
    return (size_t)bodies->components[0].before;
}

/* Collective with params->divide: moves the centre of mass to the origin and to rest, and scales
 * the velocities to the scene's virial ratio 2T / |W|, or else to `usual`, for a potential energy
 * of -1/2; if both are 0, the velocities stay. */
enum status cloud_settle(const struct bodies_params *params, double usual, struct bodies *bodies);
