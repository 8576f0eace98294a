/* Where a film's plan is kept: plan.json in the work folder, before the first segment, and in the
 * folder of checkpoints that several runs of a scene share; a copy is in every checkpoint. The
 * manifest of a work folder lists the plan by its hash. */
#pragma once

#include "cmd/film/script/plan.h"

#define PLAN_FILE "plan.json"

/* Where a plan may be; NULL: nowhere. The first one that there is counts. */
struct plan_places {
    const char *given;       /* --plan: a file, or a folder with plan.json */
    const char *work_folder; /* of a film that is continued, or of which a still is drawn */
    const char *checkpoints; /* folder of several runs of the scene */
};

/* Finds the plan as text, which plan_read accepts and the caller frees; NULL: there is none. What
 * is damaged, or is not the plan that the manifest lists, is replaced by the latest checkpoint's,
 * or left out, with a warning. A work folder of another scene is left out: opening it says how that
 * differs. STATUS_USAGE: the shared folder is of another scene; STATUS_IO and STATUS_USAGE for a
 * given one that cannot be used. Collective on ranks: rank 0 looks, and has the text. */
enum status plan_find(const struct plan_places *places, const struct scene *scene, char **text);

/* Keeps the text as FOLDER/plan.json, unless another process was first, whose text *text then is.
 * Replaces a damaged one. */
enum status plan_publish(const char *folder, const struct scene *scene, char **text);
