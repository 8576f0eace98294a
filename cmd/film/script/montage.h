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

/* The panels of such a scene; free with montage_close in every case. STATUS_USAGE names a panel
 * whose scene cannot be shown in one; STATUS_IO one whose run cannot be read. */
enum status montage_open(struct montage *out, const struct scene *whole);
void montage_close(struct montage *montage); /* accepts all zero */

/* The plan of the whole film: the panels' plans, one after the other. The caller frees it. */
char *montage_join_plans(char *const *plans, int count);
/* Takes panel i's plan from *text, which then begins with the next one. The caller frees *plan.
 * STATUS_IO: it is damaged. */
enum status montage_next_plan(const char **text, int i, char **plan);

/* Fails like plan_read for the plan of any film, also for one of panels. */
enum status montage_check_plan(const char *text, const struct scene *scene);
