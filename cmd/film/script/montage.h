/* Panels with scenes of their own (look.panels[].scene): then every panel is a film by itself, with
 * its own bodies, simulation, plan and renderer. The panels have the number of frames of the whole
 * film; one whose scene is shorter stands still from its last frame on, like simulation.freeze_at.
 */
#pragma once

#include "render/draw.h"
#include "render/panel/places.h"
#include "scenes/scene.h"

struct montage {
    int count;
    struct scene *scene[PANELS_MAX]; /* of each panel, at its size */
    struct panel_place place[PANELS_MAX];
};

/* Opens the panels' scenes, with the panels' titles as theirs; of scenes with equal titles, a panel
 * without a title has the name of its file. montage_close frees them, also after a failure.
 * STATUS_USAGE: a scene cannot be shown in a panel; STATUS_IO: a run cannot be read. The message
 * names the panel. */
enum status montage_open(struct montage *out, const struct scene *whole);
void montage_close(struct montage *montage); /* accepts all zero */

/* Joins the panels' plans into that of the whole film. The caller frees it. */
char *montage_join_plans(char *const *plans, int count);
/* Copies panel i's plan from *text, and moves *text to the next plan. The caller frees *plan.
 * STATUS_IO: the plan is damaged. */
enum status montage_next_plan(const char **text, int i, char **plan);

/* Checks the plan of any film, with or without such panels; fails like plan_read. */
enum status montage_check_plan(const char *text, const struct scene *scene);
