#include "cmd/film/groups.h"

#include "base/memory.h"
#include "render/colour/colour.h"

#include <stdlib.h>
#include <string.h>

static const float palette[][3] = {
    {0.35f, 0.60f, 1.00f}, {1.00f, 0.62f, 0.30f}, {0.55f, 1.00f, 0.55f}, {1.00f, 0.45f, 0.75f}};

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
    for (int i = 0; i < look_pictures(look); i++) {
        out->list[i] = memory_new(bodies->component_count, sizeof *out->list[i]);
        out->count = fill_groups(bodies, look_of_picture(look, i).color->tint, out->list[i]);
    }
}

void film_groups_free(struct film_groups *groups)
{
    for (int i = 0; i < PANELS_MAX; i++)
        free(groups->list[i]);
    *groups = (struct film_groups){0};
}
