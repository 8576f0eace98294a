#include "sim/formats/formats.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "sim/bodies/components.h"
#include "sim/bodies/edit.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/formats/bytes.h"
#include "sim/formats/further.h"
#include "sim/formats/text_lines.h"
#include "sim/formats/units.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Start of the number before `end` that follows a dot, with a name before the dot; NULL: none. */
static const char *number_before(const char *path, const char *end)
{
    const char *at = end;
    while (at > path && is_digit(at[-1]))
        at--;
    return at < end && at > path + 1 && at[-1] == '.' && at[-2] != '/' ? at : NULL;
}

char *parts_name(const char *path, uint64_t i)
{
    const char *end = path + strlen(path), *dot = strrchr(path, '.');
    const char *number = number_before(path, end);
    if (!number && dot) {
        end = dot;
        number = number_before(path, end);
    }
    return number
               ? text_format("%.*s%llu%s", (int)(number - path), path, (unsigned long long)i, end)
               : NULL;
}

char *parts_file(const char *path, uint64_t i)
{
    const char *dot = strrchr(path, '.'), *end = dot ? dot : path + strlen(path);
    return text_format("%.*s.%llu%s", (int)(end - path), path, (unsigned long long)i, end);
}

char *parts_whole(const char *path)
{
    const char *dot = strrchr(path, '.'), *number = dot ? number_before(path, dot) : NULL;
    return number ? text_format("%.*s%s", (int)(number - 1 - path), path, dot) : NULL;
}

static char *only_match(const char *pattern)
{
    char **found;
    const size_t count = file_matches(pattern, &found);
    char *only = count == 1 ? memory_text(found[0]) : NULL;
    for (size_t k = 0; k < count; k++)
        free(found[k]);
    free(found);
    return only;
}

/* The file that is meant by a name without a file: the first of several, NAME.0.hdf5 or NAME.0, or
 * NAME.hdf5; for a folder its only NAME.0.hdf5. The name itself if there is none. The caller frees
 * it. */
static char *parts_find(const char *name)
{
    static const char *const forms[] = {".0.hdf5", ".0.h5", ".0", ".hdf5", ".h5"};
    struct stat found;
    const bool there = stat(name, &found) == 0;
    if (there && S_ISDIR(found.st_mode)) {
        char *pattern = text_format("%s/*.0.hdf5", name), *only = only_match(pattern);
        free(pattern);
        return only ? only : memory_text(name);
    }
    for (size_t i = 0; !there && i < sizeof forms / sizeof *forms; i++) {
        char *whole = text_format("%s%s", name, forms[i]);
        if (stat(whole, &found) == 0 && S_ISREG(found.st_mode))
            return whole;
        free(whole);
    }
    return memory_text(name);
}

/* ---- formats ---- */

/* ---- lost ---- */

static bool keeps_name(const struct format *to, const char *name)
{
    for (const char *const *at = to->names; at && *at; at++)
        if (strcmp(*at, name) == 0)
            return true;
    return false;
}

static bool keeps_names(const struct bodies *bodies, const struct format *to)
{
    if (to->keeps & KEEPS_NAMES)
        return true;
    if (bodies->component_count == 1 && strcmp(bodies->components[0].name, "bodies") == 0)
        return true; /* not a name that anybody has given */
    for (size_t c = 0; c < bodies->component_count; c++)
        if (bodies->components[c].galaxy[0] || !keeps_name(to, bodies->components[c].name))
            return false;
    return true;
}

static bool keeps_ids(const struct bodies *bodies, const struct format *to)
{
    if (!bodies->id || !(to->keeps & KEEPS_IDS))
        return !bodies->id;
    for (size_t i = 0; to->ids_end > 0 && i < bodies->count; i++)
        if (bodies->id[i] >= to->ids_end)
            return false;
    return true;
}

/* Lists the columns that float32 rounds. */
static void list_digits(const struct bodies *bodies, bool further, char *list, size_t size)
{
    char columns[64] = "", text[128];
    if (!snapshot_fits(bodies->mass, bodies->count))
        text_list(columns, sizeof columns, "masses");
    if (!snapshot_fits(bodies->position[0], 3 * bodies->count))
        text_list(columns, sizeof columns, "positions");
    if (!snapshot_fits(bodies->velocity[0], 3 * bodies->count))
        text_list(columns, sizeof columns, "velocities");
    for (size_t c = 0; further && c < bodies->columns.count; c++)
        if (!bodies->columns.list[c].words &&
            !further_fits(&bodies->columns.list[c], bodies->count))
            text_list(columns, sizeof columns, bodies->columns.list[c].name);
    if (!*columns)
        return;
    snprintf(text, sizeof text, "digits beyond those of float32 (%s)", columns);
    text_list(list, size, text);
}

/* Appends to a growing list, "rho, temp"; NULL is an empty list. */
static void append(char **list, const char *name)
{
    char *longer = *list ? text_format("%s, %s", *list, name) : memory_text(name);
    free(*list);
    *list = longer;
}

/* Lists the additional columns that are lost, or whose units are. */
static void list_columns(const struct body_columns *columns, const struct format *to, char **list)
{
    char *units = NULL;
    for (size_t c = 0; c < columns->count; c++) {
        const struct body_column *column = &columns->list[c];
        if (!(to->keeps & (column->words ? KEEPS_WORDS : KEEPS_COLUMNS)))
            append(list, column->name);
        else if (*column->unit && !(to->keeps & KEEPS_COLUMN_UNITS))
            append(&units, column->name);
    }
    if (units) {
        char *text = text_format("the units of %s", units);
        append(list, text);
        free(text);
    }
    free(units);
}

char *snapshot_lost(const struct snapshot *snapshot, const struct format *to)
{
    const struct bodies *bodies = snapshot->bodies;
    char list[256] = "", text[64];
    if (bodies->component_count > 1 && !(to->keeps & KEEPS_COMPONENTS))
        text_list(list, sizeof list, "the components");
    else if (!keeps_names(bodies, to))
        text_list(list, sizeof list, "the names of the components");
    if (!keeps_ids(bodies, to))
        text_list(list, sizeof list, "the ids");
    if (snapshot->time_known && snapshot->time != 0 && !(to->keeps & KEEPS_TIME)) {
        snprintf(text, sizeof text, "the time %.6g", snapshot->time);
        text_list(list, sizeof list, text);
    }
    if (snapshot->units.length_cm > 0 && !snapshot->units_assumed && !(to->keeps & KEEPS_UNITS))
        text_list(list, sizeof list, "the units");
    if (!(to->keeps & KEEPS_DOUBLES))
        list_digits(bodies, to->keeps & KEEPS_COLUMNS, list, sizeof list);
    char *all = snapshot->unread ? memory_text(snapshot->unread) : NULL;
    list_columns(&bodies->columns, to, &all);
    if (snapshot->rounded) {
        char *digits = text_format("all digits of %s", snapshot->rounded);
        append(&all, digits);
        free(digits);
    }
    if (*list)
        append(&all, list);
    return all;
}

/* ---- formats ---- */

/* The table has no signature, so it comes last and takes whatever no other format recognizes. */
extern const struct format format_hdf5, format_npy, format_npz, format_nemo, format_gadget1,
    format_gadget2, format_tipsy, format_tipsy_native, format_csv, format_mpv, format_ids,
    format_ply, format_table;
static const struct format *const formats[] = {
    &format_hdf5,    &format_npy,   &format_npz,          &format_nemo, &format_gadget1,
    &format_gadget2, &format_tipsy, &format_tipsy_native, &format_csv,  &format_ply,
    &format_mpv,     &format_ids,   &format_table};
const struct registry body_format_registry = REGISTRY_LIST("bodies format", formats);

/* Whether the space-separated list contains the word. */
static bool lists(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; *word && (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

const struct format *format_of_extension(const char *path)
{
    const struct format *format;
    char *stem = text_format("%.*s", (int)unpacker_stem(path), path);
    for (size_t i = 0; (format = choice_at(&body_format_registry, i)); i++)
        if (lists(format->extensions, file_extension(stem)))
            break;
    free(stem);
    return format;
}

/* The first format, among those with a signature or the others, whose probe recognizes the file. */
static const struct format *probe_all(const struct format_head *head, bool text)
{
    const struct format *format;
    for (size_t i = 0; (format = choice_at(&body_format_registry, i)); i++)
        if (format->text == text && format != &format_table && format->probe(head))
            return format;
    return NULL;
}

enum status format_of_file(const char *path, const struct format *forced, const struct format **out)
{
    unsigned char bytes[FORMAT_HEAD_BYTES];
    struct format_head head = {.bytes = bytes};
    *out = forced;
    if (forced)
        return STATUS_OK;
    enum status status = body_input_head(path, bytes, sizeof bytes, &head.size, &head.whole);
    if (status == STATUS_OK)
        *out = probe_all(&head, false);
    if (status == STATUS_OK && !*out)
        status = known_refuse(path, &head);
    if (status != STATUS_OK || *out)
        return status;
    char plain[2 * FORMAT_HEAD_BYTES];
    const size_t size = table_lines_plain(bytes, head.size, plain);
    *out = probe_all(&(struct format_head){(unsigned char *)plain, size, head.whole}, true);
    if (!*out)
        *out = format_of_extension(path);
    if (!*out)
        *out = &format_table;
    return STATUS_OK;
}

/* Standard input ("-") has another name while it is read; restores the name in messages. */
static enum status name_input(enum status status, const char *path, const char *file)
{
    const char *text = status_text(), *found = strcmp(file, "-") == 0 ? strstr(text, path) : NULL;
    if (!found)
        return status;
    return status_fail(status, "%.*sstandard input%s", (int)(found - text), text,
                       found + strlen(path));
}

/* The caller frees *path. */
static enum status open_format(const char *name, const struct format *forced, char **path,
                               struct snapshot *out)
{
    const char *input;
    *out = (struct snapshot){.bodies = NULL};
    enum status status = body_input_path(name, &input);
    *path = strcmp(name, "-") == 0 ? memory_text(input) : parts_find(name);
    out->forced = forced != NULL;
    return status == STATUS_OK ? format_of_file(*path, forced, &out->format) : status;
}

enum status format_read_slice(const char *name, const struct format *forced,
                              const struct column_choice *choice, unsigned part, unsigned parts,
                              struct snapshot *out)
{
    char *path;
    enum status status = open_format(name, forced, &path, out);
    out->choice = *choice;
    out->part = part;
    out->parts = parts;
    if (status == STATUS_OK)
        status = out->format->read(path, out);
    if (status == STATUS_OK && choice->kernel)
        status = kernel_make(out, path);
    if (status == STATUS_OK && parts > 0)
        status = snapshot_slice(out);
    if (status != STATUS_OK) {
        snapshot_free(out);
        name_input(status, path, name);
    }
    free(path);
    return status;
}

enum status format_read_chosen(const char *name, const struct format *forced,
                               const struct column_choice *choice, struct snapshot *out)
{
    return format_read_slice(name, forced, choice, 0, 0, out);
}

enum status format_read(const char *name, const struct format *forced, struct snapshot *out)
{
    return format_read_chosen(name, forced, &(struct column_choice){.all = true, .words = true},
                              out);
}

enum status format_read_units(const char *name, const struct format *forced, struct snapshot *out)
{
    char *path;
    enum status status = open_format(name, forced, &path, out);
    if (status == STATUS_OK && out->format->read_units)
        status = out->format->read_units(path, out);
    if (status != STATUS_OK)
        name_input(status, path, name);
    free(path);
    return status;
}

enum status format_read_time(const char *name, const struct format *forced, struct snapshot *out)
{
    enum status status = format_read_units(name, forced, out);
    if (status != STATUS_OK || out->time_known || out->format->read_units)
        return status;
    snapshot_free(out);
    return format_read_chosen(name, forced, &(struct column_choice){0}, out);
}

double bodies_time(const struct bodies_params *params, const struct snapshot *file)
{
    const struct snapshot_units units = units_of_file(file, params);
    const struct unit_factors by = units_factors(&params->units, &units);
    return file->time_known ? file->time * (by.position / by.velocity) *
                                  (params->position_scale / params->velocity_scale)
                            : 0;
}

bool format_finds(const char *name)
{
    char *path = parts_find(name);
    const bool found = file_exists(path);
    free(path);
    return found;
}

static enum status detect(const struct bodies_params *params, struct bodies *bodies)
{
    double length;
    if (params->detect == 0)
        return STATUS_OK;
    enum status status = bodies_detect(bodies, params->detect, &length);
    if (status == STATUS_OK)
        log_info_once("%s: %u galaxies are found with the linking length %.3g", params->file,
                      params->detect, length);
    return status == STATUS_OK ? status : status_prefix(status, "%s", params->file);
}

/* ---- units and frame ---- */

static const struct space_frame frames[] = {
    {"physical", "distances at the time of the frame, which grow with the universe", false},
    {"comoving",
     "distances divided by the scale factor, without the expansion; for files of an "
     "expanding universe",
     true}};
const struct registry space_frame_registry = REGISTRY_OF("frame", frames);

/* Takes the expansion out of positions and velocities. */
static void make_comoving(struct snapshot *snapshot)
{
    struct bodies *bodies = snapshot->bodies;
    const double by = 1 / snapshot->scale_factor;
    for (size_t i = 0; bodies && i < bodies->count; i++)
        for (int c = 0; c < 3; c++)
            bodies->velocity[i][c] -=
                (bodies->position[i][c] - snapshot->box[c] / 2) * snapshot->expansion;
    if (bodies)
        bodies_scale(bodies, by, by, 1);
    for (int c = 0; c < 3; c++)
        snapshot->box[c] *= by;
    snapshot->expansion = 0;
}

enum status bodies_convert(const struct bodies_params *params, struct snapshot *snapshot,
                           const char *name)
{
    const struct snapshot_units units = units_of_file(snapshot, params);
    const struct unit_factors by = units_factors(&params->units, &units);
    const bool comoving = params->frame && params->frame->comoving;
    if (comoving && !(snapshot->scale_factor > 0))
        return status_fail(STATUS_USAGE,
                           "'%s' states no scale factor, so its bodies have no comoving frame; set "
                           "bodies.frame to physical",
                           name);
    if (snapshot->bodies && (by.position != 1 || by.velocity != 1 || by.mass != 1))
        bodies_scale(snapshot->bodies, by.position, by.velocity, by.mass);
    for (int c = 0; c < 3; c++)
        snapshot->box[c] *= by.position;
    snapshot->expansion *= by.velocity / by.position;
    snapshot->cosmology.hubble *= by.velocity / by.position;
    if (comoving && snapshot->bodies)
        log_info_once("bodies.frame is comoving: positions are divided by the scale factor, and "
                      "velocities are their derivatives in time");
    if (comoving)
        make_comoving(snapshot);
    const double grown = comoving || !(snapshot->scale_factor > 0) ? 1 : snapshot->scale_factor;
    for (int c = 0; c < 3; c++)
        if (params->box[c] > 0)
            snapshot->box[c] = params->box[c] * grown;
    return STATUS_OK;
}

static enum status hand_over(struct snapshot *snapshot, enum status status, struct bodies **out)
{
    if (status == STATUS_OK) {
        *out = snapshot->bodies;
        snapshot->bodies = NULL;
    }
    snapshot_free(snapshot);
    return status;
}

enum status bodies_read(const struct bodies_params *params, struct bodies **out)
{
    struct snapshot snapshot;
    *out = NULL;
    const struct column_choice choice = {params->all_columns, params->columns, params->kernel,
                                         params->all_columns ||
                                             (params->words && params->divide == DIVIDE_NOT)};
    const bool comoving = params->frame && params->frame->comoving;
    enum status status = format_read_chosen(params->file, params->format, &choice, &snapshot);
    if (status == STATUS_OK && comoving) /* before the scales of bodies_arrange */
        status = bodies_convert(params, &snapshot, params->file);
    if (status == STATUS_OK)
        status = bodies_arrange(snapshot.bodies, params, snapshot.group);
    if (status == STATUS_OK && !comoving)
        status = bodies_convert(params, &snapshot, params->file);
    if (status == STATUS_OK)
        status = detect(params, snapshot.bodies);
    return hand_over(&snapshot, status, out);
}

enum status bodies_read_slice(const struct bodies_params *params, unsigned part, unsigned parts,
                              struct bodies **out)
{
    struct snapshot snapshot;
    *out = NULL;
    const struct column_choice choice = {params->all_columns, params->columns, params->kernel,
                                         false};
    enum status status =
        format_read_slice(params->file, params->format, &choice, part, parts, &snapshot);
    if (status == STATUS_OK) {
        whole_take(snapshot.bodies, snapshot.whole, part, parts);
        status = bodies_convert(params, &snapshot, params->file);
    }
    return hand_over(&snapshot, status, out);
}
