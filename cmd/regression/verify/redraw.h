/* Makes frames of a film again from the scene inside it, and compares them. */
#ifndef CMD_REGRESSION_VERIFY_REDRAW_H
#define CMD_REGRESSION_VERIFY_REDRAW_H

#include "cmd/regression/verify/params.h"
#include "cmd/regression/verify/subject.h"

/* The work done, for the sentence of the case. */
struct redrawn {
    uint64_t frames;
    bool bits;    /* compared bit by bit, else by limits */
    bool packets; /* all of them are compared with those that encoding again gives */
};

/* `params->redraw` frames, spread evenly and the last one among them, whose damage is that of its
 * whole GOP. Each is drawn again, with its neighbours, and encoded again as the film was: what an
 * encoder that keeps every bit has encoded must be there bit by bit; so must
 * everything be where all frames of one segment are made again by the same encoder, renderer and
 * device: then the packets too must have the same bits. Else the film's frame may lose little more
 * against the drawn picture than that, and must not be more like a neighbour's.
 *
 * Also the states at the start and, where the film holds it, at its end against their tags; the
 * latter where bits must be the same: with the force exact, or on the same device and kernel.
 *
 * A scene that trust_scene does not allow is not drawn.
 *
 * Adds to the stages start, physics, picture and packets; concludes the first two. A failure of the
 * scene, a device or the disk is reported as a stage that is not judged. STATUS_STOPPED alone is
 * returned.
 */
enum status verify_redraw(const struct subject *subject, const struct verify_params *params,
                          struct case_report *one, struct redrawn *out);

#endif
