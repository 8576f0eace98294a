#include "scenes/reference.h"

#include "scenes/value.h"

#include <string.h>

static const char introduction[] =
    "# Scenes\n\n"
    "A scene says everything that decides a film: which bodies there are, how they move, where "
    "the\n"
    "camera is and what is written. It is a YAML file with the sections below; each section and "
    "each\n"
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
    "## Moments\n\n"
    "Slow motion, keyframes, moves, captions and `gravreel still --at` name moments of the "
    "film:\n\n"
    "| text | moment |\n|---|---|\n"
    "| `12.5` | seconds of the film |\n"
    "| `frame 100` | a frame, counted from 0 |\n"
    "| `t=30` | a simulated time |\n"
    "| `start`, `end` | the first and the last frame |\n"
    "| `pericentre`, `pericentre 2` | the first two galaxies are nearest to each other, the first "
    "or "
    "the second time |\n"
    "| `apocentre`, `apocentre 2` | they are farthest apart between two passages |\n"
    "| `merger` | from then on they stay within the sum of the radii that held half of their drawn "
    "mass |\n\n"
    "Each may be followed by seconds of the film to add or subtract: `pericentre + 2`,\n"
    "`merger - 1.5`. When an event happens is found by a pilot run with fewer bodies, which is "
    "the\n"
    "same on every machine (docs/physics.md says how far to trust it). A moment outside the film "
    "is\n"
    "an error, except that a caption may appear or disappear after the end. In `simulation.slow`\n"
    "itself, seconds and frames count as if there were no slow motion.\n";

/* What may be chosen, below the row, where the key is not one that only repeats another's. */
static void print_choices(FILE *file, const struct key *key, int markdown)
{
    const struct choice *entry;
    for (size_t i = 0; (entry = choice_at(key->registry, i)); i++)
        fprintf(file, markdown ? "<br>`%s`: %s" : "                   %-13s %s\n", entry->name,
                entry->doc);
}

static void print_row(FILE *file, const struct key *key, int markdown)
{
    char range[EXPECTED_MAX];
    const char *fallback = key->fallback ? key->fallback : "required";
    const bool empty = strcmp(fallback, "\"\"") == 0, lists = key->registry && !empty;
    value_range(key, range, sizeof range);
    if (empty)
        fallback = "empty";
    if (key->type == KEY_FLAG)
        snprintf(range, sizeof range, "true or false");
    if (key->type == KEY_CHOICE && lists)
        range[0] = '\0';
    if (markdown)
        fprintf(file, "| `%s` | %s | %s | %s | %s", key->name, fallback, range, key->unit,
                key->doc);
    else
        fprintf(file, "  %-16s %s\n  %-16s %s%s%s%s%s%s\n", key->name, key->doc, "",
                key->fallback ? "default " : "", fallback, range[0] ? "; " : "", range,
                key->unit[0] ? "; in " : "", key->unit);
    if (lists)
        print_choices(file, key, markdown);
    if (markdown)
        fputs(" |\n", file);
}

static void print_heading(FILE *file, const char *name, const char *doc, int markdown)
{
    if (markdown)
        fprintf(
            file,
            "\n## %s\n\n%s\n\n| key | default | range | unit | meaning |\n|---|---|---|---|---|\n",
            name, doc);
    else
        fprintf(file, "%s: %s\n", name, doc);
}

void scene_print_keys(FILE *file, int markdown)
{
    if (markdown)
        fputs(introduction, file);
    for (size_t s = 0; s < SECTION_COUNT; s++) {
        const char *section = scene_sections[s].name;
        print_heading(file, section, scene_sections[s].doc, markdown);
        for (size_t i = 0; i < scene_key_count; i++)
            if (strcmp(scene_keys[i].section, section) == 0)
                print_row(file, &scene_keys[i], markdown);
        for (size_t i = 0; i < scene_key_count; i++) {
            const struct key *key = &scene_keys[i];
            if (key->type != KEY_LIST || strcmp(key->section, section) != 0)
                continue;
            char name[64], doc[128];
            snprintf(name, sizeof name, "%s.%s", key->section, key->name);
            snprintf(doc, sizeof doc,
                     "Keys of each entry of the list, which has at most %zu entries.",
                     key->list->item_max);
            print_heading(file, name, doc, markdown);
            for (size_t k = 0; k < key->list->key_count; k++)
                print_row(file, &key->list->keys[k], markdown);
        }
    }
}
