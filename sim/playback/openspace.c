#include "sim/playback/openspace.h"

#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "sim/formats/formats.h"
#include "sim/formats/units.h"
#include "sim/playback/playback.h"
#include "sim/playback/series.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct exported {
    const char *path;
    bool overwrite;
    struct series series;
    struct bodies *bodies;
    struct playback *playback;
    bool *missing;     /* [bodies->count] from one of the snapshots, or not drawn */
    size_t *counts;    /* [bodies->component_count] that are written */
    char **names;      /* [component_count] the file names of the components' data */
    double kpc;        /* of a unit of length */
    struct output out; /* the file in progress */
};

static void put(struct output *out, const char *format, ...)
{
    char line[512];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    (void)output_write(out, line, (size_t)length);
}

static enum status end(struct output *out, enum status status)
{
    const bool kept = output_close(out, status == STATUS_OK, false);
    if (status == STATUS_OK && !kept)
        status = output_failed(out, 0);
    output_release(out);
    return status;
}

static double time_of(const struct exported *exported, size_t k)
{
    return exported->series.files[k].time - exported->series.files[0].time;
}

static enum status find_bodies(struct exported *exported, struct openspace_export *result)
{
    const struct bodies *bodies = exported->bodies;
    enum status status = STATUS_OK;
    exported->missing = memory_new(bodies->count, sizeof *exported->missing);
    exported->counts = memory_new(bodies->component_count, sizeof *exported->counts);
    for (size_t k = 0; k < exported->series.count && status == STATUS_OK; k++) {
        struct playback_state at;
        status = playback_at(exported->playback, time_of(exported, k), &at);
        for (size_t i = 0; i < bodies->count && status == STATUS_OK; i++)
            exported->missing[i] |= at.absent[i];
    }
    for (size_t c = 0; c < bodies->component_count; c++)
        for (size_t i = 0; i < bodies->components[c].count && bodies->components[c].draw; i++) {
            const bool gone = exported->missing[bodies->components[c].first + i];
            exported->counts[c] += !gone;
            result->bodies += !gone;
            result->left_out += gone;
        }
    return status != STATUS_OK || result->bodies > 0
               ? status
               : status_fail(STATUS_USAGE,
                             "the snapshots '%s' have no drawn bodies in common; give bodies the "
                             "same ids in all of them",
                             exported->series.params->file);
}

/* A part of a name for files and OpenSpace's identifiers: letters, digits and dashes. */
static char *plain(const char *galaxy, const char *component)
{
    char *name = text_format("%s%s%s", galaxy, *galaxy ? "-" : "", component);
    for (char *letter = name; *letter; letter++)
        if (!isalnum((unsigned char)*letter))
            *letter = '-';
    return name;
}

static enum status write_data(struct exported *exported, size_t c)
{
    const struct component *component = &exported->bodies->components[c];
    enum status status = output_check_new(exported->names[c], exported->overwrite, "name");
    if (status == STATUS_OK)
        status = output_open(&exported->out, exported->names[c]);
    if (status != STATUS_OK)
        return status;
    put(&exported->out, "x,y,z\n");
    for (size_t k = 0; k < exported->series.count && status == STATUS_OK; k++) {
        struct playback_state at;
        status = playback_at(exported->playback, time_of(exported, k), &at);
        for (size_t i = component->first;
             i < component->first + component->count && status == STATUS_OK; i++)
            if (!exported->missing[i])
                put(&exported->out, "%.7g,%.7g,%.7g\n", exported->kpc * at.position[i][0],
                    exported->kpc * at.position[i][1], exported->kpc * at.position[i][2]);
    }
    return end(&exported->out, status);
}

/* One node for each component; a step takes a second. */
static enum status write_asset(struct exported *exported, const char *stem)
{
    static const char *const colours[] = {"0.55, 0.75, 1.0", "1.0, 0.75, 0.45", "0.6, 1.0, 0.7",
                                          "1.0, 0.55, 0.65", "0.8, 0.65, 1.0"};
    enum status status = output_open(&exported->out, exported->path);
    if (status != STATUS_OK)
        return status;
    put(&exported->out,
        "-- %zu steps of a simulation; set Interpolation.Value from 0 to %zu, or "
        "trigger Interpolation.InterpolateToEnd\nlocal Nodes = {\n",
        exported->series.count, exported->series.count - 1);
    for (size_t c = 0, shown = 0; c < exported->bodies->component_count; c++) {
        const struct component *component = &exported->bodies->components[c];
        const char *slash = strrchr(exported->names[c], '/');
        char *name = plain(component->galaxy, component->name);
        if (exported->counts[c] > 0)
            put(&exported->out,
                "  {\n"
                "    Identifier = \"gravreel-%s-%s\",\n"
                "    Renderable = {\n"
                "      Type = \"RenderableInterpolatedPoints\",\n"
                "      File = asset.resource(\"%s\"),\n"
                "      NumberOfObjects = %zu,\n"
                "      Unit = \"Kpc\",\n"
                "      Coloring = { FixedColor = { %s } },\n"
                "      Interpolation = { Speed = 1.0, UseSplineInterpolation = true },\n"
                "      UseAdditiveBlending = true\n"
                "    },\n"
                "    GUI = { Name = \"%s\", Path = \"/gravreel/%s\" }\n"
                "  },\n",
                stem, name, slash ? slash + 1 : exported->names[c], exported->counts[c],
                colours[shown++ % (sizeof colours / sizeof *colours)], name, stem);
        free(name);
    }
    put(&exported->out,
        "}\n\n"
        "asset.onInitialize(function()\n"
        "  for _, node in ipairs(Nodes) do openspace.addSceneGraphNode(node) end\n"
        "end)\n\n"
        "asset.onDeinitialize(function()\n"
        "  for _, node in ipairs(Nodes) do openspace.removeSceneGraphNode(node) end\n"
        "end)\n");
    return end(&exported->out, status);
}

static enum status write_all(struct exported *exported)
{
    const size_t count = exported->bodies->component_count;
    const char *slash = strrchr(exported->path, '/'), *dot = strrchr(exported->path, '.');
    const char *base = slash ? slash + 1 : exported->path;
    char *name = text_format("%.*s", dot > base ? (int)(dot - base) : (int)strlen(base), base);
    char *stem = plain("", name);
    enum status status = STATUS_OK;
    exported->names = memory_new(count, sizeof *exported->names);
    for (size_t c = 0; c < count; c++) {
        const struct component *component = &exported->bodies->components[c];
        char *part = plain(component->galaxy, component->name);
        exported->names[c] =
            text_format("%.*s%s.%s.csv", (int)(base - exported->path), exported->path, name, part);
        free(part);
        if (exported->counts[c] > 0 && status == STATUS_OK)
            status = write_data(exported, c);
    }
    if (status == STATUS_OK)
        status = write_asset(exported, stem);
    free(stem);
    free(name);
    return status;
}

enum status openspace_write(const char *path, const struct bodies_params *params, bool overwrite,
                            struct openspace_export *out)
{
    struct exported exported = {.path = path, .overwrite = overwrite};
    struct snapshot head;
    *out = (struct openspace_export){0};
    enum status status = series_open(&exported.series, params);
    if (status == STATUS_OK)
        status = format_read_time(exported.series.files[0].path, params->format, &head);
    if (status == STATUS_OK) {
        const struct snapshot_units units = units_of_file(&head, params);
        const double kpc = units_for_scene(&params->units, &units).length_kpc;
        out->sized = kpc > 0;
        out->steps = exported.series.count;
        exported.kpc = out->sized ? kpc : 1;
        snapshot_free(&head);
        status = playback_gather(params, &exported.bodies);
    }
    if (status == STATUS_OK)
        status = playback_open(&exported.playback, params, exported.bodies);
    if (status == STATUS_OK)
        status = find_bodies(&exported, out);
    if (status == STATUS_OK)
        status = write_all(&exported);
    for (size_t c = 0; exported.names && c < exported.bodies->component_count; c++)
        free(exported.names[c]);
    free(exported.names);
    free(exported.missing);
    free(exported.counts);
    playback_close(&exported.playback);
    bodies_destroy(&exported.bodies);
    series_close(&exported.series);
    return status;
}
