/* Centres of a set of bodies in a view; see follow.h. Pure, thread-safe. */
#pragma once

#include "sim/view.h"

struct camera_range {
    size_t first, count; /* of the view's bodies */
};

struct camera_cloud {
    size_t count;
    float x[VIEW_SAMPLE_MOST], y[VIEW_SAMPLE_MOST], z[VIEW_SAMPLE_MOST];
    float weight[VIEW_SAMPLE_MOST]; /* at least one is > 0, unless there are no bodies */
};

/* Collects the bodies of the view's sample that lie in the ranges, moved along their velocities by
 * a time of `ahead`. */
void camera_cloud_fill(struct camera_cloud *cloud, const struct view *view, double ahead,
                       const struct camera_range *ranges, int range_count);

/* 0, 0, 0 for a cloud without bodies. */
void camera_centre_of_mass(const struct camera_cloud *cloud, double centre[3]);
void camera_core(const struct camera_cloud *cloud, double radius, double centre[3]);

/* The sum of the weights of every step-th body, with the same kernel as camera_core. */
double camera_density(const struct camera_cloud *cloud, size_t step, double radius,
                      const double place[3]);
