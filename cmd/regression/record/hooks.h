/* What takes part in the making of a film that is recorded: a baseline keeps states and pictures of
 * it, a control changes them. Any function may be NULL; a failure ends the run. Each is called for
 * one frame after the other, but two of them may run at once on the threads named. */
#ifndef CMD_REGRESSION_RECORD_HOOKS_H
#define CMD_REGRESSION_RECORD_HOOKS_H

#include "render/renderer.h"
#include "render/sink/sink.h"
#include "scenes/scene.h"
#include "sim/simulation.h"

enum { RECORD_ASTRAY_MAX = 8 };

struct record_hooks {
    void *user;
    /* On the scene that the film is opened with, a copy of its own, lists and all. The record has
     * the text of the one asked for. */
    void (*scene)(void *user, struct scene *scene);
    /* On how the film is encoded, before its sink is planned and opened. */
    void (*sink)(void *user, struct sink_params *params);
    /* The simulations have reached the frame; on their thread. */
    enum status (*simulated)(void *user, struct simulation *const *simulations, int count);
    /* The frame's view is about to be drawn, and may be changed, its bodies where they lie in host
     * memory; on the renderer's thread. */
    enum status (*drawing)(void *user, struct renderer *renderer, struct view *view);
    /* A picture as drawn, which may be changed before it is recorded; likewise. */
    enum status (*picture)(void *user, struct picture *picture);
    /* The same, recorded, on its way into the encoder, which gets it as it is afterwards. */
    enum status (*encoding)(void *user, struct picture *picture);
    /* The finished file, before it is read back. */
    enum status (*file)(void *user, const char *path);
    /* A frame of a film whose frames are out of their order: the picture that was drawn, and
     * rgb[height][width][3] of what the film shows in its place, as the reader gives it; NULL where
     * the film has ended. RECORD_ASTRAY_MAX of them from shortly before the first. */
    enum status (*astray)(void *user, const struct picture *drawn, const uint16_t *rgb,
                          uint32_t width, uint32_t height);
};

#endif
