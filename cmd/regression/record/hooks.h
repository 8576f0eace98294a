/* Hooks into the making of a film that is recorded: a baseline keeps states and pictures of it, a
 * control changes them. Any function may be NULL; a failure ends the run. Each is called for one
 * frame after the other, but hooks on different threads may run at once. */
#pragma once

#include "render/renderer.h"
#include "render/sink/sink.h"
#include "scenes/scene.h"
#include "sim/simulation.h"

enum { RECORD_ASTRAY_MAX = 8 };

struct record_hooks {
    void *user;
    /* Called with the scene that the film is opened with, a deep copy that the hook may change. The
     * record still has the text of the scene that was asked for. */
    void (*scene)(void *user, struct scene *scene);
    /* Called with the encoding parameters, before the sink is planned and opened. */
    void (*sink)(void *user, struct sink_params *params);
    /* Called when the simulations have reached the frame, on their thread. */
    enum status (*simulated)(void *user, struct simulation *const *simulations, int count);
    /* Called before the frame's view is drawn, on the renderer's thread. The hook may change the
     * view, and its bodies if they are in host memory. */
    enum status (*drawing)(void *user, struct renderer *renderer, struct view *view);
    /* Called with a picture as drawn, before it is recorded, on the renderer's thread. The hook may
     * change the picture. */
    enum status (*picture)(void *user, struct picture *picture);
    /* Called with the same picture after it was recorded. The encoder gets the picture as the hook
     * leaves it. */
    enum status (*encoding)(void *user, struct picture *picture);
    /* Called with the finished file before it is read back. */
    enum status (*file)(void *user, const char *path);
    /* Called with frames of a film whose frames are out of order: the picture that was drawn, and
     * rgb[height][width][3], what the film shows in its place, as the reader gives it; NULL if the
     * film has ended. Called for at most RECORD_ASTRAY_MAX frames, from shortly before the first
     * that is out of order. */
    enum status (*astray)(void *user, const struct picture *drawn, const uint16_t *rgb,
                          uint32_t width, uint32_t height);
};
