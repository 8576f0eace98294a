#include "cmd/film/start/panels.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/camera/follow.h"
#include "render/colour/colour.h"
#include "scenes/print.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/gravity/force.h"
#include "sim/pilot/galaxy_core.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct bodies_params *film_played(const struct scene *scene)
{
    return scene->bodies.model->plays ? &scene->bodies : NULL;
}

enum { PHYSICS_TEXT = 256 };

void film_physics(const struct simulation_params *params, char *out, size_t size)
{
    snprintf(out, size, "force %s, subset %u, softening %.17g %s, force_error %.17g",
             params->force->name, params->subset ? params->subset : 1, params->softening,
             params->softening_kernel ? params->softening_kernel->name : "", params->force_error);
}

static bool same_physics(const struct simulation_params *a, const struct simulation_params *b)
{
    char a_text[PHYSICS_TEXT], b_text[PHYSICS_TEXT];
    film_physics(a, a_text, sizeof a_text);
    film_physics(b, b_text, sizeof b_text);
    return a->played || strcmp(a_text, b_text) == 0;
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
        if (look_is_montage(&scene->look)) /* every panel is a film by itself */
            found = i == 0 ? 0 : out->count;
        while (found < out->count && !same_physics(&out->params[found], &own))
            found++;
        if (found == out->count)
            out->params[out->count++] = own;
        out->panel[i] = found;
    }
}

void film_physics_list(const struct scene *scene, char **text)
{
    struct film_sources sources;
    film_sources(scene, &sources);
    for (uint32_t i = 0; look_is_montage(&scene->look) && i < scene->look.panel_count; i++) {
        char own[17];
        scene_text_hash(scene->look.panels[i].scene_text, own);
        text_append(text, "", "panel %u: scene %s\n", i + 1, own);
    }
    for (int i = 0; i < sources.count; i++) {
        char physics[PHYSICS_TEXT];
        film_physics(&sources.params[i], physics, sizeof physics);
        text_append(text, "", "%s\n", physics);
    }
}

/* ==== groups of bodies and their colours ==== */

static const char *tinted_by(const struct component *component, enum colour_tint tint)
{
    const bool known = tint == TINT_STARS && star_kind_of(component->name);
    return tint == TINT_COMPONENT || known ? component->name : component->galaxy;
}

static void full_name(const struct component *component, char out[2 * BODIES_NAME_MAX])
{
    snprintf(out, 2 * BODIES_NAME_MAX, "%s%s%s", component->galaxy, *component->galaxy ? "/" : "",
             component->name);
}

/* How well the tint's name matches the component: 3 exactly, 2 by the component's name, 1 by its
 * galaxy's, 0 not at all. The mode stars takes the name of any component. */
static int fits(const struct tint *tint, const struct component *component, enum colour_tint by)
{
    char full[2 * BODIES_NAME_MAX];
    full_name(component, full);
    if (strchr(tint->name, '/') && strcmp(tint->name, full) == 0)
        return 3;
    if (by == TINT_NONE)
        return 0;
    if (by != TINT_GALAXY && strcmp(tint->name, component->name) == 0)
        return 2;
    return strcmp(tint->name, tinted_by(component, by)) == 0;
}

static void take_given(struct draw_group *group, const struct tints *tints,
                       const struct component *component, enum colour_tint by)
{
    int best = 0;
    for (uint32_t i = 0; i < tints->count && by != TINT_NONE; i++) {
        const struct tint *tint = &tints->list[i];
        const int fit = fits(tint, component, by);
        if (fit <= best)
            continue;
        best = fit;
        group->given = true;
        group->name = tint->name;
        for (int c = 0; c < 3; c++)
            group->tint[c] = (float)tint->shown[c];
    }
}

static void take_stars(struct draw_group *group, const struct component *component)
{
    const struct star_kind *kind = star_kind_of(component->name);
    if (!kind)
        return;
    star_kind_shown(kind, group->tint);
}

double film_light(const struct component *component, const struct look_params *look)
{
    const struct star_kind *kind =
        look->color->tint == TINT_STARS ? star_kind_of(component->name) : NULL;
    return component->light * (kind ? kind->brightness : 1);
}

static bool is_dusty(const struct component *component)
{
    return strcasestr(component->name, "gas") || strcasestr(component->name, "dust");
}

/* The drawn components, tinted by galaxy or by name. */
static int fill_groups(const struct bodies *bodies, const struct look_params *look,
                       struct draw_group *groups)
{
    const struct tint_palette *palette = look->palette;
    const enum colour_tint by = look->color->tint;
    int count = 0;
    size_t known = 0;
    uint64_t first = 0; /* number of the component's first body among those of all ranks */
    const char *names[TINT_PALETTE_MAX];
    for (size_t c = 0; c < bodies->component_count;
         first += component_whole(&bodies->components[c++])) {
        const struct component *component = &bodies->components[c];
        const char *name = tinted_by(component, by);
        size_t place = 0;
        while (place < known && strcmp(names[place], name) != 0)
            place++;
        if (place == known && known < (size_t)palette->count)
            names[known++] = name;
        if (!component->draw || component_whole(component) == 0)
            continue;
        struct draw_group *group = &groups[count++];
        *group = (struct draw_group){.first = component->first,
                                     .count = component->count,
                                     .whole = component->whole,
                                     .before = first + component->before - component->first,
                                     .light = (float)film_light(component, look),
                                     .name = name,
                                     .dusty = is_dusty(component)};
        memcpy(group->tint, palette->shown[place % (size_t)palette->count], sizeof group->tint);
        if (by == TINT_STARS)
            take_stars(group, component);
        take_given(group, &look->colors, component, by);
    }
    return count;
}

static void offer(struct suggestion *near, char *list, size_t size, const char *name)
{
    const char *at = strstr(list, name);
    const size_t length = strlen(name);
    while (at && !((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0')))
        at = strstr(at + 1, name);
    suggest_offer(near, name);
    if (!at && *name)
        text_list(list, size, name);
}

static enum status unknown_name(const struct scene *scene, const struct bodies *bodies,
                                const char *name)
{
    struct suggestion near = {name, NULL, 0};
    char list[STATUS_TEXT_MAX / 2] = "";
    for (size_t c = 0; c < bodies->component_count; c++)
        offer(&near, list, sizeof list, bodies->components[c].galaxy);
    for (size_t c = 0; c < bodies->component_count; c++)
        offer(&near, list, sizeof list, bodies->components[c].name);
    status_fail(STATUS_USAGE,
                "there is no galaxy or component '%.100s'%s choose from %s, and from "
                "GALAXY/COMPONENT",
                name, near.best ? suggest_text(&near) : ";", list);
    return scene_blame(scene, "look.colors");
}

/* The bodies that a tint's name refers to. */
struct named {
    bool there, drawn,
        seen;    /* it exists among the bodies; a picture draws it; a picture shows its colour */
    bool galaxy; /* the name is a galaxy's */
};

static struct named find_named(const struct scene *scene, const struct bodies *bodies,
                               const struct tint *tint)
{
    struct named named = {0};
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        const bool galaxy = fits(tint, component, TINT_GALAXY) == 1;
        if (!galaxy && !fits(tint, component, TINT_COMPONENT))
            continue;
        const bool drawn = component->draw && component_whole(component) > 0;
        named.there = true;
        named.galaxy |= galaxy;
        named.drawn |= drawn;
        for (int i = 0; i < look_pictures(&scene->look); i++) {
            const enum colour_tint by = look_of_picture(&scene->look, i).color->tint;
            named.seen |= drawn && by != TINT_NONE && fits(tint, component, by);
        }
    }
    return named;
}

enum status film_groups_check(const struct scene *scene, const struct bodies *bodies)
{
    const struct tints *tints = &scene->look.colors;
    for (uint32_t i = 0; i < tints->count; i++) {
        const struct tint *tint = &tints->list[i];
        const struct named named = find_named(scene, bodies, tint);
        if (!named.there)
            return unknown_name(scene, bodies, tint->name);
        if (!named.drawn)
            log_warning("look.colors: the colour of '%s' is not seen, because it is not drawn",
                        tint->name);
        else if (!named.seen)
            log_warning("look.colors: the colour of '%s' has no effect, because look.color is %s; "
                        "set look.color to %s",
                        tint->name, scene->look.color->name, named.galaxy ? "galaxy" : "component");
    }
    return STATUS_OK;
}

/* Presets, and therefore the scenes in films, set dust whether or not there is gas. */
static void check_dust(const struct scene *scene, const struct film_groups *groups)
{
    bool dusty = scene->look.dust == 0 || !scene_is_option(scene, "look.dust");
    for (int g = 0; g < groups->count; g++)
        dusty = dusty || groups->list[0][g].dusty;
    if (!dusty)
        log_warning("look.dust: no component that is drawn has gas or dust in its name, so no dust "
                    "is seen; give a galaxy gas_mass");
}

enum status film_groups_make(struct film_groups *out, const struct scene *scene,
                             const struct bodies *bodies)
{
    const struct look_params *look = &scene->look;
    *out = (struct film_groups){0};
    for (int i = 0; i < look_pictures(look); i++) {
        const struct look_params own = look_of_picture(look, i);
        out->list[i] = memory_new(bodies->component_count, sizeof *out->list[i]);
        out->count = fill_groups(bodies, &own, out->list[i]);
    }
    check_dust(scene, out);
    return STATUS_OK;
}

void film_groups_free(struct film_groups *groups)
{
    for (int i = 0; i < PANELS_MAX; i++)
        free(groups->list[i]);
    *groups = (struct film_groups){0};
}

/* ==== what cameras can follow ==== */

/* The largest number of bodies from which the radii of galaxies are measured. */
enum { MEASURED = 1 << 18 };

bool film_follows(const struct scene *scene)
{
    bool follows = scene->camera.follow[0] != '\0' || scene->camera.align[0] != '\0' ||
                   scene->overlay.label_count > 0 || scene->look.mark_count > 0;
    for (uint32_t i = 0; i < scene->look.panel_count; i++)
        follows = follows || scene->look.panels[i].follow[0];
    return follows;
}

bool film_follows_bodies(const struct scene *scene)
{
    uint64_t number[2];
    int count = camera_follow_bodies(scene->camera.follow, number);
    for (uint32_t i = 0; i < scene->look.panel_count; i++)
        count += camera_follow_bodies(scene->look.panels[i].follow, number);
    return count > 0;
}

/* Appends the bodies that a text names and that are not in the list yet. */
static void take_numbers(struct film_watch *watch, const char *follow)
{
    struct camera_bodies *bodies = &watch->bodies;
    uint64_t number[2];
    const int count = camera_follow_bodies(follow, number);
    for (int i = 0; i < count; i++) {
        int k = 0;
        while (k < bodies->count && bodies->number[k] != number[i])
            k++;
        bodies->number[k] = number[i];
        bodies->count += k == bodies->count;
    }
}

static const struct component *component_of(const struct bodies *bodies, uint64_t row)
{
    size_t c = 0;
    while (c + 1 < bodies->component_count && row >= component_whole(&bodies->components[c]))
        row -= component_whole(&bodies->components[c++]);
    return &bodies->components[c];
}

/* Collective for shared bodies. *found: the number of bodies that have the number. */
static enum status find_body(const struct bodies *bodies, uint64_t number, double *found,
                             struct film_watch *watch, int k)
{
    double sums[8] = {0}; /* how many there are; row, position and velocity of the first */
    size_t i = !bodies->id && number > 0 ? whole_find(bodies, (size_t)number - 1) : 0;
    const size_t end = bodies->id ? bodies->count : i < bodies->count && number > 0 ? i + 1 : i;
    for (; i < end; i++) {
        if ((bodies->id && bodies->id[i] != number) || ++sums[0] > 1)
            continue;
        sums[1] = (double)whole_number(bodies, i);
        memcpy(sums + 2, bodies->position[i], sizeof *bodies->position);
        memcpy(sums + 5, bodies->velocity[i], sizeof *bodies->velocity);
    }
    const enum status status = whole_sum(bodies, sums, 8);
    const struct component *component = component_of(bodies, (uint64_t)sums[1]);
    *found = sums[0];
    watch->row[k] = (size_t)sums[1];
    watch->start[k].galaxy = component->galaxy;
    watch->start[k].component = component->name;
    memcpy(watch->start[k].position, sums + 2, sizeof watch->start[k].position);
    memcpy(watch->start[k].velocity, sums + 5, sizeof watch->start[k].velocity);
    return status;
}

enum status film_watch_find(struct film_watch *out, const struct camera_params *camera,
                            const struct look_params *look, const struct bodies *bodies)
{
    struct camera_bodies *named = &out->bodies;
    enum status status = STATUS_OK;
    *out = (struct film_watch){.bodies.last = bodies->id ? 0 : whole_size(bodies_whole(bodies))};
    take_numbers(out, camera->follow);
    for (uint32_t i = 0; i < look->panel_count; i++)
        take_numbers(out, look->panels[i].follow);
    const int wanted = named->count;
    named->count = 0;
    for (int i = 0; i < wanted && status == STATUS_OK; i++) {
        const uint64_t number = named->number[i];
        double found = 0;
        status = find_body(bodies, number, &found, out, named->count);
        if (status == STATUS_OK && found > 1)
            status = status_fail(STATUS_USAGE,
                                 "the camera cannot follow body %llu, because %.0f bodies have "
                                 "that id; give each body an id of its own, or follow another",
                                 (unsigned long long)number, found);
        named->number[named->count] = number;
        named->count += found == 1;
    }
    return status;
}

void film_watch_stand_in(const struct film_watch *watch, const struct bodies *bodies,
                         size_t row[VIEW_FOLLOWED_MAX])
{
    for (int k = 0; watch && k < watch->bodies.count; k++) {
        const double *at = watch->start[k].position;
        double nearest = INFINITY;
        bool related = false;
        row[k] = 0;
        for (size_t c = 0; c < bodies->component_count; c++) {
            const struct component *part = &bodies->components[c];
            const bool same = strcmp(part->name, watch->start[k].component) == 0 &&
                              strcmp(part->galaxy, watch->start[k].galaxy) == 0;
            if (same && !related)
                nearest = INFINITY;
            related |= same;
            for (size_t i = part->first; i < part->first + part->count && same == related; i++) {
                const double *x = bodies->position[i];
                const double away = fn_hypot(fn_hypot(x[0] - at[0], x[1] - at[1]), x[2] - at[2]);
                if (away < nearest) {
                    nearest = away;
                    row[k] = i;
                }
            }
        }
    }
}

static void put_watched(float to[8], const double position[3], const double velocity[3])
{
    for (int c = 0; c < 3; c++) {
        to[c] = (float)position[c];
        to[4 + c] = (float)velocity[c];
    }
}

void film_watch_show(const struct film_watch *watch, const struct bodies *bodies,
                     const size_t row[VIEW_FOLLOWED_MAX], struct view *view)
{
    for (int k = 0; watch && k < watch->bodies.count; k++)
        put_watched(view->followed[k], bodies->position[row[k]], bodies->velocity[row[k]]);
}

void film_watch_start(const struct film_watch *watch, struct view *view)
{
    for (int k = 0; k < watch->bodies.count; k++)
        put_watched(view->followed[k], watch->start[k].position, watch->start[k].velocity);
}

/* The core radius of the galaxy of component c, which may have been measured for an earlier
 * component. */
static enum status find_radius(struct camera_part *parts, const struct bodies *bodies, size_t c)
{
    struct galaxy_core *core;
    for (size_t k = 0; k < c; k++)
        if (strcmp(parts[k].galaxy, parts[c].galaxy) == 0) {
            parts[c].radius = parts[k].radius;
            return STATUS_OK;
        }
    enum status status = galaxy_core_open(&core, bodies, c);
    if (status == STATUS_OK)
        parts[c].radius = galaxy_core_radius(core);
    galaxy_core_close(&core);
    return status;
}

struct camera_part *film_camera_names(const struct bodies *bodies, int *count)
{
    struct camera_part *parts = memory_new(bodies->component_count, sizeof *parts);
    size_t first = 0;
    for (size_t c = 0; c < bodies->component_count; first += parts[c++].count) {
        const struct component *component = &bodies->components[c];
        parts[c] = (struct camera_part){.galaxy = component->galaxy,
                                        .component = component->name,
                                        .first = first,
                                        .count = (size_t)component_whole(component),
                                        .draw = component->draw};
    }
    *count = (int)bodies->component_count;
    return parts;
}

enum status film_camera_parts(struct camera_part **out, const struct scene *scene,
                              const struct bodies *bodies)
{
    int count;
    struct camera_part *parts = *out = film_camera_names(bodies, &count);
    struct bodies *few = NULL;
    if (!film_follows(scene))
        return STATUS_OK;
    /* More bodies would not make a radius more accurate, and on ranks no process has all. */
    enum status status = whole_thin(bodies, whole_most(bodies_whole(bodies), MEASURED), &few);
    for (int c = 0; c < count && status == STATUS_OK; c++)
        status = find_radius(parts, few, (size_t)c);
    bodies_destroy(&few);
    return status;
}
