/* Everything that is wrong with a scene's text, at once. */
#ifndef SCENES_FAULTS_H
#define SCENES_FAULTS_H

#include "base/status.h"
#include "scenes/scene.h"

/* Takes one sentence, with file, line and key; it is not kept. */
struct fault_taker {
    void (*take)(void *user, const char *sentence);
    void *user;
};

/* Opens and validates the scene as scene_open does. Where that fails, each fault goes to `taker`:
 * the line with it, and what is indented below, is left out and the rest is read again, so that
 * faults that only follow from another are not told. *out is the rest, or NULL where nothing can be
 * read after a fault. The status is that of the first fault, without its sentence. */
enum status scene_open_faults(struct scene **out, const char *name,
                              const struct fault_taker *taker);

#endif
