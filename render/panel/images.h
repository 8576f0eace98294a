/* The periodic images of a box that a picture shows, look.copies of them on each side. An image
 * that is moved by some edges is drawn as the box itself, seen by a camera that is moved the other
 * way. Pure; thread-safe for different objects. */
#pragma once

#include "render/camera/camera.h"
#include "render/camera/project.h"
#include "render/found.h"
#include "render/sprites/setup.h"

struct images {
    size_t count, room;
    struct camera_pose *poses; /* [count] the first is that of the bodies themselves */
    struct streak_ends *ends;  /* [count] likewise */
};

/* The scale factor at a simulated time of the film; 0 if bodies are not in a comoving frame. */
double images_scale(const struct universe_found *universe, double time);

/* The box, the frame and the camera for which images are found. */
struct images_of {
    const struct universe_found *universe;
    uint32_t copies;
    bool streaks;
    double time, exposed;          /* simulated time of the frame, and half of the exposure time */
    const struct camera_aim *aims; /* [AIMS] */
    const struct camera_window *window;
};

/* Finds the images that may be seen in the window and reach into the slab of `own`. own: the pose
 * of the bodies themselves, which are always the first image. */
void images_find(struct images *out, const struct images_of *of, const struct camera_pose *own);
void images_free(struct images *images); /* accepts all zero, and leaves it so */
