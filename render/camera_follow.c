#include "render/camera_follow.h"

#include "base/suggest.h"
#include "base/text.h"
#include "render/camera_centre.h"

#include <stdlib.h>
#include <string.h>

struct place {
    void (*find)(const struct camera_cloud *cloud, double radius, double centre[3]);
    struct camera_range *ranges; /* [part_count] */
    int range_count;
    double radius;
};

struct camera_follow {
    int place_count;
    struct place places[2];
};

static void find_mass(const struct camera_cloud *cloud, double radius, double centre[3])
{
    (void)radius;
    camera_centre_of_mass(cloud, centre);
}

/* "Milky Way/disk", or "disk" of no galaxy. The caller frees it. */
static char *part_name(const struct camera_part *part)
{
    return part->galaxy[0] ? text_format("%s/%s", part->galaxy, part->component)
                           : text_format("%s", part->component);
}

static bool is_named(const struct camera_part *part, const char *name)
{
    char *whole = part_name(part);
    const bool named =
        (part->galaxy[0] && strcmp(part->galaxy, name) == 0) || (whole && !strcmp(whole, name));
    free(whole);
    return named;
}

/* The parts of that name, or all; those that are drawn, if any is. False when there are none. */
static bool choose_parts(struct place *place, const struct camera_setup *setup, const char *name)
{
    double bodies = 0, radius = 0;
    place->range_count = 0;
    for (int all = 0; all < 2 && place->range_count == 0; all++)
        for (int i = 0; i < setup->part_count; i++) {
            const struct camera_part *part = &setup->parts[i];
            if (part->count == 0 || !(part->draw || all) || (name && !is_named(part, name)))
                continue;
            place->ranges[place->range_count++] = (struct camera_range){part->first, part->count};
            bodies += (double)part->count;
            radius += (double)part->count * part->radius;
        }
    place->radius = bodies > 0 ? radius / bodies : 0;
    return place->range_count > 0;
}

static bool resolve(struct place *place, const struct camera_setup *setup, const char *name)
{
    const bool densest = strcmp(name, "densest") == 0, mass = strcmp(name, "mass") == 0;
    place->find = densest ? camera_densest : mass ? find_mass : camera_core;
    const bool found = choose_parts(place, setup, densest || mass ? NULL : name);
    if (densest)
        place->radius /= 2;
    return found;
}

/* A copy without the spaces around it. */
static char *trimmed(const char *text, size_t length)
{
    for (; length > 0 && *text == ' '; length--)
        text++;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return text_format("%.*s", (int)length, text);
}

/* Names may have a + of their own: the whole comes first, then each way to part it. */
static bool resolve_all(struct camera_follow *follow, const struct camera_setup *setup,
                        const char *text)
{
    char *name = trimmed(text, strlen(text));
    bool found = name && resolve(&follow->places[0], setup, name);
    free(name);
    follow->place_count = 1;
    for (const char *plus = strchr(text, '+'); plus && !found; plus = strchr(plus + 1, '+')) {
        char *a = trimmed(text, (size_t)(plus - text)), *b = trimmed(plus + 1, strlen(plus + 1));
        found = a && b && resolve(&follow->places[0], setup, a) &&
                resolve(&follow->places[1], setup, b);
        follow->place_count = 2;
        free(a);
        free(b);
    }
    return found;
}

static enum status fail_unknown(struct camera_follow *follow, const struct camera_setup *setup,
                                const char *key, const char *text)
{
    const char *plus = strchr(text, '+');
    char *name = trimmed(text, plus ? (size_t)(plus - text) : strlen(text)), list[512] = "";
    if (name && plus && resolve(&follow->places[0], setup, name)) {
        free(name);
        name = trimmed(plus + 1, strlen(plus + 1));
    }
    char **labels = calloc((size_t)setup->part_count + 1, sizeof *labels);
    struct suggestion suggestion = {name ? name : "", NULL, 0};
    suggest_offer(&suggestion, "mass");
    suggest_offer(&suggestion, "densest");
    text_list(list, sizeof list, "mass");
    text_list(list, sizeof list, "densest");
    for (int i = 0; i < setup->part_count && labels; i++) {
        const struct camera_part *part = &setup->parts[i];
        bool first = part->galaxy[0] != '\0';
        for (int k = 0; k < i; k++)
            first = first && strcmp(setup->parts[k].galaxy, part->galaxy) != 0;
        if (first) {
            text_list(list, sizeof list, part->galaxy);
            suggest_offer(&suggestion, part->galaxy);
        }
        labels[i] = part_name(part);
        if (labels[i]) {
            text_list(list, sizeof list, labels[i]);
            suggest_offer(&suggestion, labels[i]);
        }
    }
    const enum status status = status_fail(
        STATUS_USAGE,
        "%s is '%s', and nothing is called '%s'; there are %s, and A+B for the midpoint of two%s",
        key, text, suggestion.word, list, suggest_text(&suggestion));
    for (int i = 0; i < setup->part_count && labels; i++)
        free(labels[i]);
    free(labels);
    free(name);
    return status;
}

/* Of many bodies only some are looked at, which may pass a small part over. */
static enum status check_sample(const struct camera_follow *follow,
                                const struct camera_setup *setup, const char *key, const char *text)
{
    size_t bodies = 0;
    for (int i = 0; i < setup->part_count; i++) {
        const size_t end = setup->parts[i].first + setup->parts[i].count;
        bodies = end > bodies ? end : bodies;
    }
    const size_t stride = view_sample_stride(bodies);
    for (int p = 0; p < follow->place_count; p++) {
        size_t seen = 0, count = 0;
        for (int r = 0; r < follow->places[p].range_count; r++) {
            const struct camera_range *range = &follow->places[p].ranges[r];
            seen += (range->first + range->count + stride - 1) / stride -
                    (range->first + stride - 1) / stride;
            count += range->count;
        }
        if (seen == 0)
            return status_fail(STATUS_USAGE,
                               "%s is '%s', which has %zu of the %zu bodies, and only every %zuth "
                               "is looked at; follow something with %zu or more",
                               key, text, count, bodies, stride, stride);
    }
    return STATUS_OK;
}

enum status camera_follow_open(struct camera_follow **out, const struct camera_setup *setup)
{
    const char *text = setup->params->follow ? setup->params->follow : "";
    const char *key = setup->follow_key ? setup->follow_key : "camera.follow";
    *out = NULL;
    if (!text[0])
        return STATUS_OK;
    struct camera_follow *follow = *out = calloc(1, sizeof *follow);
    bool whole = follow != NULL;
    for (int p = 0; p < 2 && whole; p++) {
        follow->places[p].ranges =
            calloc((size_t)setup->part_count + 1, sizeof *follow->places[p].ranges);
        whole = follow->places[p].ranges != NULL;
    }
    enum status status =
        whole ? STATUS_OK : status_fail(STATUS_RUNTIME, "no memory left for what a camera follows");
    if (status == STATUS_OK)
        status = resolve_all(follow, setup, text) ? check_sample(follow, setup, key, text)
                                                  : fail_unknown(follow, setup, key, text);
    if (status != STATUS_OK)
        camera_follow_close(out);
    return status;
}

void camera_follow_close(struct camera_follow **follow)
{
    if (!*follow)
        return;
    free((*follow)->places[0].ranges);
    free((*follow)->places[1].ranges);
    free(*follow);
    *follow = NULL;
}

void camera_follow_centre(const struct camera_follow *follow, const struct view *view,
                          double centre[3])
{
    struct camera_cloud cloud;
    memset(centre, 0, 3 * sizeof *centre);
    for (int p = 0; follow && p < follow->place_count; p++) {
        const struct place *place = &follow->places[p];
        double found[3];
        camera_cloud_fill(&cloud, view, place->ranges, place->range_count);
        place->find(&cloud, place->radius, found);
        for (int i = 0; i < 3; i++)
            centre[i] += found[i] / follow->place_count;
    }
}
