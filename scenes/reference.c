#include "scenes/reference.h"

#include "base/text.h"
#include "base/choice.h"
#include "scenes/value.h"

#include <stdlib.h>
#include <string.h>

static const char introduction[] =
    "# Scenes\n\n"
    "A scene determines a film completely: its bodies, how they move, the camera, the look and "
    "the\n"
    "output. It is a YAML file with the sections below; each section and each\n"
    "key may be left out, and then has its default. An empty file is a scene too.\n\n"
    "```yaml\n"
    "bodies: {model: plummer, count: 4096}\n"
    "simulation: {dt: 0.02}\n"
    "output: {size: 720p, frames: 120}\n"
    "```\n\n"
    "Any key can also be given on the command line, which overrides the file:\n"
    "`--set simulation.dt=0.005`, `--set 'camera.target=[0, 0, 1]'`. A key that does not exist, a\n"
    "value of the wrong type and a value out of range are errors, reported before anything is\n"
    "written. Numbers are decimal; true and false may also be written yes, no, on and off. "
    "Lengths,\n"
    "masses and velocities are in the scene's own units, in which G = 1.\n\n"
    "The built-in scenes are ordinary scene files: `gravreel scenes NAME` prints one to start "
    "from.\n"
    "This page is generated from the program's own table of keys.\n\n"
    "Each key belongs to one half of the scene: *motion* decides how the bodies move and which "
    "times\n"
    "the frames show, *look* how they are drawn and written. Checkpoints, runs and ranges fit "
    "every\n"
    "scene with the same motion, so that another title, camera or codec needs no new "
    "simulation.\n\n"
    "## Moments\n\n"
    "Slow motion, keyframes, moves, captions and `gravreel still --at` name moments of the "
    "film:\n\n"
    "| text | moment |\n"
    "|---|---|\n"
    "| `12.5`, `1:30` | seconds of the film, or minutes and seconds |\n"
    "| `frame 100` | a frame, counted from 0 |\n"
    "| `t=30` | a simulated time |\n"
    "| `z=2` | a redshift, for bodies of an expanding universe |\n"
    "| `start`, `end` | the first and the last frame |\n"
    "| `pericentre`, `pericentre 2` | the first two galaxies are nearest to each other, the first "
    "or the second time |\n"
    "| `apocentre`, `apocentre 2` | they are farthest apart between two passages |\n"
    "| `merger` | from then on they stay within the sum of the radii that held half of their drawn "
    "mass |\n\n"
    "Each may be followed by seconds of the film to add or subtract: `pericentre + 2`,\n"
    "`merger - 1.5`. The times of events are found by a pilot run before the film, which is the\n"
    "same on every machine (docs/physics.md says how accurate it is). A moment outside the film "
    "is\n"
    "an error, except that a caption may appear or disappear after the end and that slow motion "
    "may\n"
    "be after it, where it slows nothing. In `simulation.slow` itself, seconds and frames count "
    "as\n"
    "if there were no slow motion.\n\n"
    "## Keyframes of a number\n\n"
    "A number of `camera`, `look` or `overlay` with *keyframes* in the column *half* can change "
    "over the\n"
    "film: its value is then a list, in the order of the moments.\n\n"
    "```yaml\n"
    "look:\n"
    "  dust: [{at: 2, value: 0}, {at: pericentre + 1, value: 1.5}]\n"
    "camera:\n"
    "  fov: [{at: start, value: 40}, {at: end, value: 12, ease: linear}]\n"
    "```\n\n"
    "On the command line: `--set 'look.dust=[{at: 2, value: 0}, {at: 5, value: 1}]'`. `ease` says "
    "how the\n"
    "value is reached from the keyframe before, as in `camera.moves`: `smooth` (the default), "
    "`in`,\n"
    "`out` or `linear`. Before the first keyframe and after the last the value does not change. A "
    "value\n"
    "is what it says: with keyframes of `look.exposure` nothing is metered. Where 0 stands for a "
    "choice\n"
    "made at the start, as of `look.point_size`, keyframes must be above 0. Counts and what is "
    "fixed "
    "when a\n"
    "film begins have no keyframes. Places of the camera: `camera.keyframes`.\n";

enum { INDENT = 19 };

/* ---- a key ---- */

struct row {
    const char *fallback; /* "empty" and "required" are printed as words */
    char range[EXPECTED_MAX];
    const char *half;
    bool lists; /* the alternatives follow; not if the key repeats those of another */
};

/* list: that the key is an item's of; NULL: it is a key of the scene. */
static struct row describe(const struct key *list, const struct key *key)
{
    struct row row = {.fallback = key->fallback ? key->fallback : "required",
                      .half = half_name(list ? key_half(list, key) : key_half(key, NULL))};
    const bool empty = strcmp(row.fallback, "\"\"") == 0;
    row.lists = key->registry && !empty;
    value_range(key, row.range, sizeof row.range);
    if (empty)
        row.fallback = "empty";
    if (key->type == KEY_FLAG)
        snprintf(row.range, sizeof row.range, "true or false");
    if (key->type == KEY_CHOICE && row.lists)
        row.range[0] = '\0';
    return row;
}

/* "default 60; 0 or more; in degrees; look" */
static char *facts(const struct key *key, const struct row *row, const char *range)
{
    return text_format("%s%s%s%s%s%s; %s%s", key->fallback ? "default " : "", row->fallback,
                       *range ? "; " : "", range, key->unit ? "; in " : "",
                       key->unit ? key->unit : "", row->half,
                       key->keyed != KEYED_NOT ? "; may have keyframes" : "");
}

static void print_row_text(FILE *file, const struct key *key, const struct row *row)
{
    char *said = facts(key, row, row->range);
    const struct choice *entry;
    int column = fprintf(file, "  %s", key->name);
    if (column >= INDENT) {
        fputc('\n', file);
        column = 0;
    }
    text_wrap(file, column, INDENT, key->doc);
    text_wrap(file, 0, INDENT, said);
    for (size_t i = 0; row->lists && (entry = choice_at(key->registry, i)); i++) {
        char *line = text_format("%s: %s", entry->name, entry->doc);
        text_wrap(file, 0, INDENT + 2, line);
        free(line);
    }
    free(said);
}

static void print_row_markdown(FILE *file, const struct key *key, const struct row *row)
{
    const struct choice *entry;
    fprintf(file, "| `%s` | %s | %s | %s | %s | %s", key->name, row->fallback, row->range,
            key->unit ? key->unit : "", key->keyed != KEYED_NOT ? "look, keyframes" : row->half,
            key->doc);
    for (size_t i = 0; row->lists && (entry = choice_at(key->registry, i)); i++)
        fprintf(file, "<br>`%s`: %s", entry->name, entry->doc);
    fputs(" |\n", file);
}

static void print_row_manual(FILE *file, const struct key *key, const struct row *row)
{
    char *said = facts(key, row, row->range);
    const struct choice *entry;
    roff_term(file, key->name);
    roff_text(file, key->doc);
    fputs(".br\n", file);
    roff_text(file, said);
    for (size_t i = 0; row->lists && (entry = choice_at(key->registry, i)); i++) {
        char *line = text_format("`%s`: %s", entry->name, entry->doc);
        fputs(".br\n", file);
        roff_text(file, line);
        free(line);
    }
    free(said);
}

static void print_row(FILE *file, const struct key *list, const struct key *key,
                      enum reference_form form)
{
    static void (*const forms[])(FILE *, const struct key *, const struct row *) = {
        [REFERENCE_TEXT] = print_row_text,
        [REFERENCE_MARKDOWN] = print_row_markdown,
        [REFERENCE_MANUAL] = print_row_manual,
    };
    const struct row row = describe(list, key);
    forms[form](file, key, &row);
}

/* ---- a section, a list ---- */

static void print_heading(FILE *file, const char *name, const char *doc, enum reference_form form)
{
    int column;
    switch (form) {
    case REFERENCE_TEXT:
        column = fprintf(file, "%s:", name);
        text_wrap(file, column, column + 1, doc);
        break;
    case REFERENCE_MARKDOWN:
        fprintf(file,
                "\n## %s\n\n%s\n\n| key | default | range | unit | half | meaning "
                "|\n|---|---|---|---|---|---|\n",
                name, doc);
        break;
    case REFERENCE_MANUAL:
        roff_section(file, name);
        roff_text(file, doc);
        break;
    }
}

static void print_list(FILE *file, const struct key *key, enum reference_form form)
{
    char name[KEY_PATH], doc[128];
    key_path(key, name);
    snprintf(doc, sizeof doc, "Keys of each entry of the list, which has at most %zu entries.",
             key->list->item_max);
    print_heading(file, name, doc, form);
    for (size_t k = 0; k < key->list->key_count; k++)
        print_row(file, key, &key->list->keys[k], form);
}

static void print_section(FILE *file, const struct key_section *section, enum reference_form form)
{
    print_heading(file, section->name, section->doc, form);
    for (size_t i = 0; i < scene_key_count; i++)
        if (strcmp(scene_keys[i].section, section->name) == 0)
            print_row(file, NULL, &scene_keys[i], form);
    for (size_t i = 0; i < scene_key_count; i++)
        if (scene_keys[i].type == KEY_LIST && strcmp(scene_keys[i].section, section->name) == 0)
            print_list(file, &scene_keys[i], form);
}

void reference_print(FILE *file, enum reference_form form)
{
    if (form == REFERENCE_MARKDOWN)
        fputs(introduction, file);
    if (form == REFERENCE_MANUAL) {
        roff_title(file, "gravreel-scene", 5, "scene files of gravreel");
        roff_markdown(file, introduction);
    }
    for (size_t i = 0; i < SECTION_COUNT; i++)
        print_section(file, &scene_sections[i], form);
}

/* ---- looking up a path ---- */

static enum status unknown(const char *path)
{
    struct suggestion near = {path, NULL, 0};
    char paths[KEYS_MAX][KEY_PATH], sections[256];
    key_names(NULL, sections, sizeof sections);
    for (size_t i = 0; i < SECTION_COUNT; i++)
        suggest_offer(&near, scene_sections[i].name);
    for (size_t i = 0; i < scene_key_count; i++) {
        key_path(&scene_keys[i], paths[i]);
        /* The key in another section is the most likely intention. */
        suggest_offer(&near, strchr(path, '.') ? paths[i] : scene_keys[i].name);
        if (near.best == scene_keys[i].name)
            near.best = paths[i];
    }
    return status_fail(STATUS_USAGE, "there is no section or key '%s'%s the sections are %s", path,
                       near.best ? suggest_text(&near) : ";", sections);
}

enum status reference_find(const char *path, struct reference *out)
{
    const int section = key_section_find(path, strlen(path));
    *out = (struct reference){.key = key_path_find(path)};
    if (section >= 0)
        out->section = &scene_sections[section];
    return out->key || out->section ? STATUS_OK : unknown(path);
}

void reference_print_one(FILE *file, const struct reference *one, enum reference_form form)
{
    if (one->section)
        print_section(file, one->section, form);
    else if (one->key->type == KEY_LIST) {
        reference_print_key(file, one->key);
        print_list(file, one->key, form);
    } else {
        const struct choice *entry;
        const bool lists = describe(NULL, one->key).lists;
        reference_print_key(file, one->key);
        for (size_t i = 0; lists && (entry = choice_at(one->key->registry, i)); i++)
            fprintf(file, "  %-14s %s\n", entry->name, entry->doc);
    }
}

void reference_print_key(FILE *file, const struct key *key)
{
    char expected[EXPECTED_MAX];
    const struct row row = describe(NULL, key);
    value_expected(key, expected, sizeof expected);
    char *said = facts(key, &row, row.lists ? row.range : expected);
    char *line = text_format("%s.%s: %s", key->section, key->name, key->doc);
    text_wrap(file, 0, 0, line);
    text_wrap(file, 0, 2, said);
    free(line);
    free(said);
}
