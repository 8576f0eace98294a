/* Redraws frames of a film from the scene inside it, and compares them. */
#pragma once

#include "cmd/regression/verify/subject.h"

/* A summary of the redrawing, for the case's sentence. */
struct redrawn {
    uint64_t frames;
    uint64_t ordered; /* frames whose order, light and colour are compared; these among them */
    char *missing; /* what the frames could not tell, see lit_judge_missing; the caller frees it */
    bool bits;     /* compared bit by bit; otherwise by limits */
    bool packets;  /* every packet is compared with the result of encoding again */
};

/* Compares `params->redraw` frames, spread evenly over the film and including the last one, whose
 * damage shows any damage in its GOP. They are drawn again with the frames before them (all, in a
 * film of up to 2^31 pixels, which is 1,000 frames of 1920x1080), and encoded again as the film
 * was. If the encoder is lossless, the film must have the picture bit by bit. If all frames of a
 * single segment are compared with the same encoder, renderer and device, all frames must be the
 * same bit by bit, and so must the packets. Otherwise a frame may have lost only slightly more,
 * relative to the drawn picture, than encoding again loses.
 *
 * All frames that are drawn must be in their order in the film, and unless bits are compared,
 * light, colour, detail and layout of their lit pixels must be those of the pictures encoded again
 * (cmd/regression/judge/picture_judge.h).
 *
 * Also compares the state at the start with its tag and, if the film has a tag for it, the state at
 * the end; the latter only where bits must be the same: with the force exact, or on the same device
 * and kernel.
 *
 * Does not draw a scene that trust_scene refuses.
 *
 * Adds to the stages start, physics, picture and packets, and concludes the first two. A failure of
 * the scene, a device or the disk is reported as a stage that is not judged; the only failure
 * returned is STATUS_STOPPED. */
enum status verify_redraw(const struct subject *subject, const struct verify_params *params,
                          struct case_report *one, struct redrawn *out);
