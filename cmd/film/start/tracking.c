#include "cmd/film/start/tracking.h"

#include "base/choice.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/film/start/halos.h"
#include "render/camera/follow.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/formats/further.h"
#include "sim/models/models.h"
#include "sim/formats/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRACKED_MOST = 100 };

void tracking_add(struct tracking *tracking, const struct tracked_search *search, const char *name,
                  const struct tracked *tracked)
{
    struct tracked *added = MEMORY_ADD(tracking->list, tracking->count);
    *added = *tracked;
    added->entry = search->entry;
    snprintf(added->name, sizeof added->name, "%s", *search->text ? search->text : name);
}

/* ---- bodies ---- */

static bool at_body(const struct tracked *tracked, const struct view *view, double place[3])
{
    const float *row = view->watched[VIEW_FOLLOWED_MAX + tracked->number];
    for (int i = 0; i < 3; i++)
        place[i] = (double)row[i];
    return row[7] == 0;
}

static void add_body(const struct tracked_search *search, struct tracking *out, uint64_t number,
                     const char *name)
{
    size_t place = 0;
    while (place < out->body_count && out->bodies[place] != number)
        place++;
    if (place == out->body_count) {
        *MEMORY_ADD(out->bodies, out->body_count) = number;
    }
    tracking_add(out, search, name,
                 &(struct tracked){.at = at_body, .body = number, .number = place});
}

enum operation { EQUAL, UNEQUAL, LESS, LESS_EQUAL, MORE, MORE_EQUAL };

struct condition {
    char column[BODY_COLUMN_NAME], value[BODY_COLUMN_NAME];
    enum operation operation;
    double number; /* of the value, in the column's unit; NaN: it is none */
};

static void trim(char *out, size_t size, const char *from, const char *to)
{
    while (from < to && *from == ' ')
        from++;
    while (to > from && to[-1] == ' ')
        to--;
    snprintf(out, size, "%.*s", (int)(to - from), from);
}

/* Whether the words have the form of a condition, or name a body as camera.follow does. */
static bool parse(struct condition *out, const char *words)
{
    uint64_t number[2];
    if (camera_follow_bodies(words, number) == 1 && !strchr(words, '+')) {
        out->operation = EQUAL;
        snprintf(out->column, sizeof out->column, "id");
        snprintf(out->value, sizeof out->value, "%llu", (unsigned long long)number[0]);
        return true;
    }
    static const struct {
        const char *sign;
        enum operation operation;
    } signs[] = {{"!=", UNEQUAL}, {"<=", LESS_EQUAL}, {">=", MORE_EQUAL}, {"==", EQUAL},
                 {"=", EQUAL},    {"<", LESS},        {">", MORE}};
    const char *at = strpbrk(words, "=!<>");
    size_t s = 0;
    while (at && s < sizeof signs / sizeof *signs &&
           strncmp(at, signs[s].sign, strlen(signs[s].sign)) != 0)
        s++;
    if (!at || s == sizeof signs / sizeof *signs)
        return false;
    const char *after = at + strlen(signs[s].sign);
    out->operation = signs[s].operation;
    trim(out->column, sizeof out->column, words, at);
    trim(out->value, sizeof out->value, after, after + strlen(after));
    return true;
}

static bool holds(enum operation operation, double difference)
{
    switch (operation) {
    case EQUAL:
        return difference == 0;
    case UNEQUAL:
        return difference != 0 && !isnan(difference);
    case LESS:
        return difference < 0;
    case LESS_EQUAL:
        return difference <= 0;
    case MORE:
        return difference > 0;
    default:
        return difference >= 0;
    }
}

static uint64_t id_of(const struct bodies *bodies, size_t i)
{
    return bodies->id ? bodies->id[i] : (uint64_t)whole_number(bodies, i) + 1;
}

/* The column of words by which bodies are called; NULL: none. */
static const struct body_column *names_of(const struct bodies *bodies)
{
    for (size_t c = 0; c < bodies->columns.count; c++)
        if (bodies->columns.list[c].words && further_is_name(bodies->columns.list[c].name))
            return &bodies->columns.list[c];
    return NULL;
}

/* Whether body i is chosen; column NULL: the mass, or the id, which is exact. */
static bool suits(const struct condition *condition, const struct bodies *bodies, size_t i,
                  const struct body_column *column, bool by_id)
{
    const char *word = column ? body_column_word_of(column, i) : NULL;
    if (by_id) {
        const uint64_t id = id_of(bodies, i), other = strtoull(condition->value, NULL, 10);
        return holds(condition->operation, id < other ? -1 : id > other ? 1 : 0);
    }
    if (column && column->words)
        return word && (strcmp(word, condition->value) == 0) == (condition->operation == EQUAL);
    return holds(condition->operation,
                 (column ? column->value[i] : bodies->mass[i]) - condition->number);
}

static enum status unknown_column(const struct tracked_search *search, const char *name)
{
    struct suggestion near = {name, NULL, 0};
    char list[STATUS_TEXT_MAX / 2] = "id, mass";
    struct bodies *all = NULL;
    struct bodies_params params = search->scene->bodies;
    params.all_columns = true;
    if (!params.model->reads_file || ranks_are_together() ||
        bodies_make(&params, &all) != STATUS_OK)
        all = NULL;
    const struct body_columns *columns = &(all ? all : search->bodies)->columns;
    suggest_offer(&near, "mass");
    for (size_t c = 0; c < columns->count; c++) {
        suggest_offer(&near, columns->list[c].name);
        text_list(list, sizeof list, columns->list[c].name);
    }
    const enum status status =
        status_fail(STATUS_USAGE, "the bodies have no column '%s'%s choose from %s%s", name,
                    near.best ? suggest_text(&near) : ";", list,
                    ranks_are_together() ? "; ranks under mpirun read no words" : "");
    bodies_destroy(&all);
    return status;
}

/* Reads the value that a column of numbers is compared with. */
static enum status read_number(const struct tracked_search *search, struct condition *condition,
                               bool is_mass)
{
    char *end;
    condition->number = strtod(condition->value, &end);
    const char *rest = end + strspn(end, " ");
    if (end == condition->value || (*rest && !(is_mass && strcasecmp(rest, "Msun") == 0)))
        return status_fail(STATUS_USAGE,
                           is_mass ? "'%s' is not a mass; write a number such as 1e9 or 1e9 Msun"
                                   : "'%s' is not a number, but %s has numbers; write '%s > 1'",
                           condition->value, condition->column, condition->column);
    if (!*rest)
        return STATUS_OK;
    const double unit = units_complete(&search->scene->bodies.units).mass_msun;
    condition->number /= unit;
    return unit > 0 ? STATUS_OK
                    : status_fail(STATUS_USAGE,
                                  "'%s' is in solar masses, and the scene states no units; set "
                                  "units.mass_msun, or give the mass in the scene's unit",
                                  search->words);
}

/* A body that is chosen on this rank or another. */
struct chosen {
    uint64_t number, id;
    char name[TRACKED_NAME];
};

static int compare_chosen(const void *a, const void *b)
{
    const struct chosen *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Those of all ranks, in the order of their numbers. */
static enum status gather(const struct bodies *bodies, struct chosen **list, size_t *count)
{
    if (!bodies->shared)
        return STATUS_OK;
    const size_t ranks = (size_t)ranks_count();
    uint64_t own = *count, *of = memory_new(ranks, sizeof *of);
    size_t *bytes = memory_new(ranks, sizeof *bytes), sum = 0;
    enum status status = ranks_gather_each(&own, of, sizeof own);
    for (size_t r = 0; r < ranks; r++) {
        bytes[r] = of[r] * sizeof **list;
        sum += of[r];
    }
    struct chosen *all = memory_new(sum + 1, sizeof *all);
    if (status == STATUS_OK)
        status = ranks_gather(*list, all, bytes);
    qsort(all, sum, sizeof *all, compare_chosen);
    free(*list);
    free(of);
    free(bytes);
    *list = all;
    *count = sum;
    return status;
}

static enum status add_chosen(const struct tracked_search *search, struct tracking *out,
                              const struct condition *condition, const struct body_column *column,
                              bool by_id)
{
    const struct bodies *bodies = search->bodies;
    const struct body_column *names = names_of(bodies);
    struct chosen *list = memory_new(TRACKED_MOST + 1, sizeof *list);
    size_t count = 0;
    for (size_t i = 0; i < bodies->count && count <= TRACKED_MOST; i++) {
        const char *name = names ? body_column_word_of(names, i) : NULL;
        if (condition ? !suits(condition, bodies, i, column, by_id) : !name)
            continue;
        struct chosen *own = &list[count++];
        own->number = whole_number(bodies, i);
        own->id = id_of(bodies, i);
        snprintf(own->name, sizeof own->name, "%s", name ? name : "");
    }
    enum status status = gather(bodies, &list, &count);
    if (status == STATUS_OK && count == 0)
        status = status_fail(STATUS_USAGE,
                             condition ? "'%s' chooses none of the %zu bodies"
                                       : "'%s' chooses bodies that have names, and none of the "
                                         "%zu has; give the file a column called name",
                             search->words, whole_size(bodies_whole(bodies)));
    if (status == STATUS_OK && out->count + count > TRACKED_MOST)
        status = status_fail(STATUS_USAGE,
                             "'%s' matches more than %d bodies, the limit for labels%s; choose "
                             "fewer",
                             search->words, (int)TRACKED_MOST - (int)out->count,
                             out->count > 0 ? " and marks after those before it" : " and marks");
    for (size_t k = 0; k < count && status == STATUS_OK; k++) {
        char number[32];
        snprintf(number, sizeof number, "%llu", (unsigned long long)list[k].id);
        add_body(search, out, list[k].number, *list[k].name ? list[k].name : number);
    }
    free(list);
    return status;
}

static enum status find_bodies(const struct tracked_search *search, struct tracking *out, bool *is)
{
    struct condition condition;
    const bool all = strcmp(search->words, "bodies") == 0;
    *is = all || parse(&condition, search->words);
    if (all || !*is)
        return all ? add_chosen(search, out, NULL, NULL, false) : STATUS_OK;
    const bool by_id = strcmp(condition.column, "id") == 0;
    const bool by_mass = strcmp(condition.column, "mass") == 0;
    const struct body_column *column =
        by_id || by_mass ? NULL : body_columns_find(&search->bodies->columns, condition.column);
    if (!*condition.column || !*condition.value)
        return status_fail(STATUS_USAGE,
                           "'%s' is no condition; write a column, =, !=, <, <=, > or >=, and a "
                           "value, such as id=17, name=Mars or mass > 0.2",
                           search->words);
    if (!by_id && !by_mass && !column)
        return unknown_column(search, condition.column);
    if (column && column->words && condition.operation > UNEQUAL)
        return status_fail(STATUS_USAGE,
                           "'%s' orders words; compare %s with = or !=", search->words,
                           condition.column);
    if (by_id && condition.value[strspn(condition.value, "0123456789")])
        return status_fail(STATUS_USAGE, "'%s' compares ids with '%s', which is not a whole number",
                           search->words, condition.value);
    const enum status status =
        by_id || (column && column->words) ? STATUS_OK : read_number(search, &condition, by_mass);
    return status == STATUS_OK ? add_chosen(search, out, &condition, column, by_id) : status;
}

/* ---- galaxies and components ---- */

static bool at_core(const struct tracked *tracked, const struct view *view, double place[3])
{
    camera_follow_centre(tracked->by, view, 0, place);
    return true;
}

static enum status add_part(const struct tracked_search *search, struct tracking *out,
                            const char *words, const char *name)
{
    struct camera_follow *follow;
    const struct camera_follow_setup setup = {
        .follow = words, .parts = search->parts, .part_count = search->part_count};
    const enum status status = camera_follow_open(&follow, &setup);
    if (status != STATUS_OK)
        return status;
    *MEMORY_ADD(out->follows, out->follow_count) = follow;
    const double radius = camera_follow_radius(follow);
    tracking_add(
        out, search, name,
        &(struct tracked){.at = at_core, .by = follow, .radius = radius, .body = UINT64_MAX});
    return STATUS_OK;
}

/* A component of one body is this body, which need not be in the sample of a view. */
static enum status add_component(const struct tracked_search *search, struct tracking *out, int p)
{
    const struct camera_part *part = &search->parts[p];
    if (part->count == 1) {
        add_body(search, out, part->first, part->component);
        return STATUS_OK;
    }
    char *words = part->galaxy[0] ? text_format("%s/%s", part->galaxy, part->component)
                                  : text_format("%s", part->component);
    const enum status status = add_part(search, out, words, part->component);
    free(words);
    return status;
}

static bool is_first(const struct tracked_search *search, int p)
{
    int k = 0;
    while (strcmp(search->parts[k].galaxy, search->parts[p].galaxy) != 0)
        k++;
    return k == p;
}

static bool is_drawn(const struct tracked_search *search, const char *galaxy)
{
    for (int p = 0; p < search->part_count; p++)
        if (search->parts[p].draw && strcmp(search->parts[p].galaxy, galaxy) == 0)
            return true;
    return false;
}

static enum status find_all(const struct tracked_search *search, struct tracking *out, bool *is)
{
    const bool galaxies = strcmp(search->words, "galaxies") == 0;
    const size_t before = out->count; /* there may be none, as where a scene gets other bodies */
    enum status status = STATUS_OK;
    *is = galaxies || strcmp(search->words, "components") == 0;
    for (int p = 0; *is && p < search->part_count && status == STATUS_OK; p++) {
        const struct camera_part *part = &search->parts[p];
        if (part->count == 0)
            continue;
        if (!galaxies && part->draw && part->component[0])
            status = add_component(search, out, p);
        else if (galaxies && part->galaxy[0] && is_first(search, p) &&
                 is_drawn(search, part->galaxy))
            status = add_part(search, out, part->galaxy, part->galaxy);
    }
    if (status == STATUS_OK && *is && out->count == before)
        log_warning("%s: 'of: %s' chooses nothing, because the scene has no %s with a name",
                    search->place, search->words, search->words);
    return status;
}

enum { ALL_HALOS = 20 };

static enum status find_halos(const struct tracked_search *search, struct tracking *out, bool *is)
{
    char names[ALL_HALOS][HALO_NAME];
    size_t all, count = 1;
    const bool massive =
        strcmp(search->words, "halos") == 0 || strcmp(search->words, "haloes") == 0;
    *is = massive || halos_are_called(search->words);
    if (!*is)
        return STATUS_OK;
    if (!search->halos)
        return status_fail(STATUS_USAGE,
                           "'%s' chooses from catalogues of haloes, and look.halos names none; set "
                           "it to their pattern, such as 'out_*.list'",
                           search->words);
    const char *last = halos_last(search->halos, &all);
    if (massive)
        count = halos_massive(search->halos, names, ALL_HALOS);
    if (massive && all > count)
        log_info("'%s' shows the %zu most massive of %zu", search->words, count, all);
    for (size_t i = 0; i < count; i++) {
        const char *name = massive ? names[i] : search->words;
        const struct tracked *found = halos_find(search->halos, name);
        if (!found)
            return status_fail(STATUS_USAGE,
                               "there is no %s in the last catalogue, '%s', which has %zu haloes",
                               name, last, all);
        if (out->count == TRACKED_MOST)
            return status_fail(STATUS_USAGE,
                               "'%s' chooses more than the %d things that can be followed; choose "
                               "fewer",
                               search->words, (int)TRACKED_MOST);
        tracking_add(out, search, name, found);
    }
    return STATUS_OK;
}

static enum status find_part(const struct tracked_search *search, struct tracking *out, bool *is)
{
    *is = true;
    for (int p = 0; p < search->part_count; p++)
        if (search->parts[p].count == 1 && strcmp(search->parts[p].component, search->words) == 0)
            return add_component(search, out, p);
    return add_part(search, out, search->words, search->words);
}

static const struct tracked_kind kind_all = {"galaxies, components", "all of them", find_all},
                                 kind_bodies = {"COLUMN=VALUE", "bodies", find_bodies},
                                 kind_halos = {"halos, halo N, group N", "haloes of look.halos",
                                               find_halos},
                                 kind_part = {"NAME", "a galaxy or component", find_part};

/* The first that takes the words; the last takes any. */
static const struct tracked_kind *const kinds[] = {&kind_all, &kind_halos, &kind_bodies,
                                                   &kind_part};

/* ---- all ---- */

static enum status find(struct tracking *out, const struct tracked_search *search)
{
    enum status status = STATUS_OK;
    bool is = false;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !is && status == STATUS_OK; k++)
        status = kinds[k]->find(search, out, &is);
    return status;
}

static enum status check_trail(const struct tracking *tracking, const struct mark_params *mark)
{
    const size_t count = tracking->count;
    const struct tracked *last = count > 0 ? &tracking->list[count - 1] : NULL;
    return mark->trail == 0 || !last || last->body != UINT64_MAX
               ? STATUS_OK
               : status_fail(STATUS_USAGE,
                             "'%s' is no body, and leaves no trail; choose bodies, or leave out "
                             "the trail",
                             mark->of);
}

/* What chooses label i, or mark i - overlay.label_count; NULL: none is left. */
static const char *choice_of(const struct scene *scene, uint32_t i, char key[64])
{
    const uint32_t labels = scene->overlay.label_count;
    const bool label = i < labels;
    if (i >= labels + scene->look.mark_count)
        return NULL;
    snprintf(key, 64, label ? "overlay.labels[%u].of" : "look.marks[%u].of",
             (label ? i : i - labels) + 1);
    return label ? scene->overlay.labels[i].of : scene->look.marks[i - labels].of;
}

enum status tracking_find(struct tracking *out, const struct scene *scene,
                          const struct bodies *bodies, struct halos *halos,
                          const struct camera_part *parts, int count)
{
    const struct overlay_params *overlay = &scene->overlay;
    enum status status = STATUS_OK;
    char key[64];
    const char *words;
    *out = (struct tracking){0};
    for (uint32_t i = 0; status == STATUS_OK && (words = choice_of(scene, i, key)); i++) {
        const bool label = i < overlay->label_count;
        status = find(out, &(struct tracked_search){.words = words,
                                                    .text = label ? overlay->labels[i].text : "",
                                                    .entry = label ? i : i - overlay->label_count,
                                                    .place = key,
                                                    .scene = scene,
                                                    .bodies = bodies,
                                                    .halos = halos,
                                                    .parts = parts,
                                                    .part_count = count});
        if (label)
            out->labels = out->count;
        else if (status == STATUS_OK)
            status = check_trail(out, &scene->look.marks[i - overlay->label_count]);
        if (status == STATUS_USAGE)
            status = scene_blame(scene, key);
    }
    return status;
}

void tracking_free(struct tracking *tracking)
{
    for (size_t i = 0; i < tracking->follow_count; i++)
        camera_follow_close(&tracking->follows[i]);
    free(tracking->follows);
    free(tracking->bodies);
    free(tracking->list);
    *tracking = (struct tracking){0};
}

void tracking_columns(const struct scene *scene, char ***list)
{
    size_t count = 0, choices = 0;
    char key[64];
    const char *words;
    while (choice_of(scene, (uint32_t)choices, key))
        choices++;
    char **out = *list = memory_new(choices + 8, sizeof *out);
    for (uint32_t i = 0; (words = choice_of(scene, i, key)); i++) {
        struct condition condition;
        if (parse(&condition, words) && *condition.column)
            out[count++] = memory_text(condition.column);
    }
    for (size_t k = 0; choices > 0 && further_names[k]; k++)
        out[count++] = memory_text(further_names[k]);
}
