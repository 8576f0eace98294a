#include "scenes/reference.h"

#include "scenes/value.h"

#include <string.h>

static const char introduction[] =
    "# Scenes\n\n"
    "A scene says everything that decides a film: which bodies there are, how they move, where "
    "the\n"
    "camera stands and what is written. It is a YAML file with the sections below; each section "
    "and\n"
    "each key may be left out, and then its default holds. An empty file is a scene too.\n\n"
    "```yaml\n"
    "bodies: {model: plummer, count: 4096}\n"
    "simulation: {dt: 0.02}\n"
    "output: {size: 720p, frames: 120}\n"
    "```\n\n"
    "Any key can be given on the command line as well, and wins over the file:\n"
    "`--set simulation.dt=0.005`, `--set 'camera.target=[0, 0, 1]'`. A key that does not exist, a\n"
    "value of the wrong type and a value out of range end the program before anything is written.\n"
    "Numbers are decimal; true and false may also be written yes, no, on and off. Lengths, masses\n"
    "and velocities are in the scene's own units, in which G = 1; degrees are degrees.\n\n"
    "The built-in scenes are ordinary scene files: `gravreel scenes NAME` prints one to start "
    "from.\n"
    "This page is made from the program's own table of keys.\n\n"
    "## Moments\n\n"
    "Slow motion, keyframes, moves, captions and `gravreel still --at` name moments of the "
    "film:\n\n"
    "| text | moment |\n|---|---|\n"
    "| `12.5` | seconds of the film |\n"
    "| `frame 100` | a frame, counted from 0 |\n"
    "| `t=30` | a simulated time |\n"
    "| `start`, `end` | the first and the last frame |\n"
    "| `pericentre`, `pericentre 2` | the two first galaxies are nearest to each other, the first "
    "or "
    "the second time |\n"
    "| `apocentre`, `apocentre 2` | they are farthest apart between two passages |\n"
    "| `merger` | from then on they stay within the sum of the radii that held half of their drawn "
    "mass |\n\n"
    "Each may have seconds of the film added or taken away: `pericentre + 2`, `merger - 1.5`. "
    "What\n"
    "happens is found by a run through the film before it, with fewer bodies; it is the same on "
    "every\n"
    "machine (docs/physics.md says how far to trust it). A moment outside the film ends the "
    "program,\n"
    "except that a caption may come or go after the end. In `simulation.slow` itself, seconds and\n"
    "frames count as if there were no slow motion.\n";

static void print_row(FILE *file, const struct key *key, int markdown)
{
    char range[EXPECTED_MAX];
    const char *fallback = key->fallback ? key->fallback : "required";
    value_range(key, range, sizeof range);
    if (strcmp(fallback, "\"\"") == 0)
        fallback = "empty";
    if (key->type == KEY_FLAG)
        snprintf(range, sizeof range, "true or false");
    if (markdown)
        fprintf(file, "| `%s` | %s | %s | %s | %s |\n", key->name, fallback, range, key->unit,
                key->doc);
    else
        fprintf(file, "  %-16s %s\n  %-16s default %s%s%s%s%s\n", key->name, key->doc, "", fallback,
                range[0] ? "; " : "", range, key->unit[0] ? "; in " : "", key->unit);
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
            snprintf(doc, sizeof doc, "Keys of each entry of the list; at most %zu entries.",
                     key->list->item_max);
            print_heading(file, name, doc, markdown);
            for (size_t k = 0; k < key->list->key_count; k++)
                print_row(file, &key->list->keys[k], markdown);
        }
    }
}
