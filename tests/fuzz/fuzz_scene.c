/* Texts of scenes, settings and moments. */
#include "tests/fuzz/target.h"

#include "base/log.h"
#include "base/memory.h"
#include "scenes/scene.h"
#include "scenes/scene_check.h"
#include "scenes/value.h"
#include "scenes/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The printed scene reads back as the same scene. */
static void print_and_read(const struct scene *scene)
{
    char *text = scene_print(scene), *again;
    struct scene *other;
    fuzz_promise(scene_parse(&other, text, "printed") == STATUS_OK, "what is printed is a scene");
    again = scene_print(other);
    fuzz_promise(strcmp(text, again) == 0, "a scene is printed as it is read");
    scene_close(&other);
    free(again);
    free(text);
}

static void parse(const char *text)
{
    struct scene *scene;
    if (scene_parse(&scene, text, "fuzz") == STATUS_OK && scene_validate(scene) == STATUS_OK)
        print_and_read(scene);
    scene_close(&scene);
}

/* "section.key=value" */
static void set(const char *text)
{
    char *path = memory_text(text), *value = strchr(path, '=');
    struct scene *scene;
    if (value && scene_open(&scene, "plummer") == STATUS_OK) {
        *value++ = '\0';
        if (scene_set(scene, path, value, "--set") == STATUS_OK &&
            scene_validate(scene) == STATUS_OK)
            print_and_read(scene);
        scene_close(&scene);
    }
    free(path);
}

static void look_for_moment(const char *text)
{
    struct moment moment;
    if (moment_parse(text, &moment) == STATUS_OK)
        fuzz_promise(isfinite(moment.value) && isfinite(moment.shift), "a moment is finite");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = memory_new(size + 1, 1);
    log_set_level(LOG_ERROR);
    memcpy(text, data, size);
    parse(text);
    set(text);
    look_for_moment(text);
    free(text);
    return 0;
}

void fuzz_seeds(fuzz_take take, void *user)
{
    static const char *const texts[] = {
        "bodies.count=65536",
        "camera.moves=[{move: orbit, turn: 90, from: start, to: pericentre + 2, ease: smooth}]",
        "look.exposure=adapt",
        "output.size=vertical",
        "simulation.slow=[{at: pericentre, factor: 4, span: 3}]",
        "overlay.captions=[{text: \"two: 'galaxies'\", from: start, to: 12.5}]",
        "pericentre 2 - 1.5",
        "frame 100 + .25",
        "t = 30",
        "bodies:\n  model: galaxies\n  galaxies:\n    - name: \"a\"\n      disk_mass: 1\n"
        "camera:\n  target: [0, 1e-3, .5]\n  moves:\n    - {move: zoom, factor: 2}\n"
        "look: {panels: [{name: x}]}\n",
    };
    const struct scene_builtin *builtin;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        take(user, texts[i], strlen(texts[i]));
    for (size_t i = 0; (builtin = choice_at(&builtin_registry, i)); i++)
        take(user, builtin->text, strlen(builtin->text));
}
