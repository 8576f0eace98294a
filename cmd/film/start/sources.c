#include "cmd/film/start/sources.h"

static bool same_physics(const struct simulation_params *a, const struct simulation_params *b)
{
    const uint32_t a_subset = a->subset ? a->subset : 1, b_subset = b->subset ? b->subset : 1;
    return a->played ||
           (a->force == b->force && a_subset == b_subset && a->softening == b->softening &&
            a->softening_kernel == b->softening_kernel && a->force_error == b->force_error);
}

const struct bodies_params *film_played(const struct scene *scene)
{
    return scene->bodies.model->plays ? &scene->bodies : NULL;
}

static void take_own(struct simulation_params *own, const struct panel_params *panel)
{
    if (panel->force)
        own->force = panel->force;
    if (panel->subset)
        own->subset = panel->subset;
    if (panel->softening > 0)
        own->softening = panel->softening;
    if (panel->softening_kernel)
        own->softening_kernel = panel->softening_kernel;
    if (panel->force_error > 0)
        own->force_error = panel->force_error;
}

void film_sources(const struct scene *scene, struct film_sources *out)
{
    *out = (struct film_sources){.count = 1, .params = {scene->simulation}};
    out->params[0].played = film_played(scene);
    for (int i = 0; i < (int)scene->look.panel_count; i++) {
        struct simulation_params own = scene->simulation;
        own.played = film_played(scene);
        int found = 0;
        take_own(&own, &scene->look.panels[i]);
        if (i == 0)
            out->params[0] = own;
        while (found < out->count && !same_physics(&out->params[found], &own))
            found++;
        if (found == out->count)
            out->params[out->count++] = own;
        out->panel[i] = found;
    }
}
