#include "cmd/film/sources.h"

#include "base/memory.h"
#include "render/colour/colour.h"

#include <stdlib.h>
#include <string.h>

static const float palette[][3] = {
    {0.35f, 0.60f, 1.00f}, {1.00f, 0.62f, 0.30f}, {0.55f, 1.00f, 0.55f}, {1.00f, 0.45f, 0.75f}};

static bool same_physics(const struct simulation_params *a, const struct simulation_params *b)
{
    const uint32_t a_subset = a->subset ? a->subset : 1, b_subset = b->subset ? b->subset : 1;
    return a->force == b->force && a_subset == b_subset;
}

void film_sources(const struct scene *scene, struct film_sources *out)
{
    *out = (struct film_sources){.count = 1, .params = {scene->simulation}};
    for (int i = 0; i < (int)scene->look.panel_count; i++) {
        const struct panel_params *panel = &scene->look.panels[i];
        struct simulation_params wanted = scene->simulation;
        int found = 0;
        if (panel->force)
            wanted.force = panel->force;
        if (panel->subset)
            wanted.subset = panel->subset;
        if (i == 0)
            out->params[0] = wanted;
        while (found < out->count && !same_physics(&out->params[found], &wanted))
            found++;
        if (found == out->count)
            out->params[out->count++] = wanted;
        out->panel[i] = found;
    }
}

int film_picture_count(const struct look_params *look)
{
    return look->panel_count > 0 ? (int)look->panel_count : 1;
}

const struct colour *film_picture_color(const struct look_params *look, int picture)
{
    return look->panel_count > 0 && look->panels[picture].color ? look->panels[picture].color
                                                                : look->color;
}

static const char *tinted_by(const struct component *component, enum colour_tint tint)
{
    return tint == TINT_COMPONENT ? component->name : component->galaxy;
}

/* The drawn components, tinted by galaxy or by name. */
static int fill_groups(const struct bodies *bodies, enum colour_tint tint,
                       struct draw_group *groups)
{
    enum { COLOURS = sizeof palette / sizeof palette[0] };
    int count = 0;
    size_t known = 0;
    const char *names[COLOURS];
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        const char *name = tinted_by(component, tint);
        size_t place = 0;
        while (place < known && strcmp(names[place], name) != 0)
            place++;
        if (place == known && known < COLOURS)
            names[known++] = name;
        if (!component->draw || component->count == 0)
            continue;
        struct draw_group *group = &groups[count++];
        *group = (struct draw_group){.first = component->first,
                                     .count = component->count,
                                     .light = (float)component->light,
                                     .name = name};
        memcpy(group->tint, palette[place % COLOURS], sizeof group->tint);
    }
    return count;
}

void film_groups_make(struct film_groups *out, const struct look_params *look,
                      const struct bodies *bodies)
{
    *out = (struct film_groups){0};
    for (int i = 0; i < film_picture_count(look); i++) {
        const struct colour *colour = film_picture_color(look, i);
        out->list[i] = memory_new(bodies->component_count, sizeof *out->list[i]);
        out->count = fill_groups(bodies, colour ? colour->tint : TINT_NONE, out->list[i]);
    }
}

void film_groups_free(struct film_groups *groups)
{
    for (int i = 0; i < PANELS_MAX; i++)
        free(groups->list[i]);
    *groups = (struct film_groups){0};
}
