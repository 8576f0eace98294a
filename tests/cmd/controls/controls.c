/* Makes two films, one as it should be and one with a control, for a look at them and for other
 * programs to compare. Usage: controls --list | controls NAME A B (films or patterns of PNG files)
 */
#include "base/log.h"
#include "cmd/controls/registry.h"
#include "cmd/controls/run.h"
#include "tests/support/controlled_film.h"

#include <stdio.h>
#include <string.h>

static int list(void)
{
    const struct control *control;
    for (size_t i = 0; (control = choice_at(&control_registry, i)) != NULL; i++)
        printf("%s\t%s\t%s\t%s\n", control->name,
               ((const struct choice *)choice_at(&control_kind_registry, control->kind))->name,
               ((const struct choice *)choice_at(&judged_registry, control->stage))->name,
               control->doc);
    return 0;
}

static enum status make(const struct control *control, const char *path, struct control_run *run,
                        bool honest)
{
    struct scene *scene;
    enum status status = controlled_scene(&scene, control->name);
    const char *why = status == STATUS_OK ? control_why_not(control, scene) : NULL;
    if (why)
        status =
            status_fail(STATUS_USAGE, "%s cannot be made of the scene: %s", control->name, why);
    const struct record_hooks hooks = honest ? control_reel_hooks(run) : control_hooks(run);
    if (status == STATUS_OK)
        status = controlled_film(scene, path, &hooks);
    scene_close(&scene);
    return status;
}

int main(int count, char **words)
{
    const struct choice *found;
    struct control_run run;
    if (count == 2 && strcmp(words[1], "--list") == 0)
        return list();
    if (count != 4) {
        fprintf(stderr, "usage: controls --list | controls NAME A B\n");
        return STATUS_USAGE;
    }
    enum status status = choice_require(&control_registry, words[1], &found);
    if (status == STATUS_OK) {
        const struct control *control = (const struct control *)found;
        control_run_open(&run, control, 12);
        status = make(control, words[2], &run, true);
        if (status == STATUS_OK)
            status = make(control, words[3], &run, false);
        if (status == STATUS_OK && !control_has_acted(&run))
            status = status_fail(STATUS_RUNTIME, "%s has changed nothing", control->name);
        control_run_close(&run);
    }
    if (status != STATUS_OK)
        log_error("%s", status_text());
    return (int)status;
}
