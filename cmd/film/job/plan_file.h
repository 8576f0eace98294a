/* Keeps the plan of a film: as plan.json in the work folder, before the first segment, and as
 * plan-HASH.json, with the scene's hash, in a folder of checkpoints that several runs share, whose
 * scenes move alike but may look different. Every checkpoint has a copy. The manifest of a work
 * folder lists the plan by its hash. */
#pragma once

#include "cmd/film/script/plan.h"

#define PLAN_FILE "plan.json"

/* The places where a plan may be; NULL: none. The first plan found counts. */
struct plan_places {
    const char *given;       /* --plan: a file, or a folder with the scene's plan */
    const char *work_folder; /* of the film to continue, or to draw a still of */
    const char *checkpoints; /* folder of several runs */
};

/* Finds the plan as a text that plan_read accepts and the caller frees; NULL: there is none. A plan
 * that is damaged, or is not the one in the manifest, is replaced by that of the latest checkpoint,
 * or ignored, with a warning. A work folder of another scene is ignored: opening it reports the
 * difference. STATUS_IO and STATUS_USAGE: the
 * given plan cannot be used. Collective on ranks: rank 0 searches, and has the text. */
enum status plan_find(const struct plan_places *places, const struct scene *scene, char **text);

/* The name of the scene's plan in a shared folder. */
enum { PLAN_NAME = 32 };
void plan_shared_name(const struct scene *scene, char out[PLAN_NAME]);

/* Writes the text into a shared folder. If another process was first, *text becomes that process's
 * text. Replaces a damaged file. */
enum status plan_publish(const char *folder, const struct scene *scene, char **text);
