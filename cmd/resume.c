/* gravreel resume: continues an unfinished film from what its work folder says. */
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/cli/arguments.h"
#include "cmd/cli/help/help_page.h"
#include "cmd/cli/options.h"
#include "cmd/command.h"
#include "cmd/film/job/target.h"
#include "cmd/film/manifest/manifest.h"
#include "cmd/film/scene/own_scene.h"
#include "cmd/film/scene/request.h"
#include "cmd/film/tags.h"
#include "cmd/render.h"
#include "render/picture/png_pdf.h"
#include "render/reader/stream.h"
#include "render/video/picture_file.h"
#include "scenes/scene_check.h"
#include "scenes/print.h"
#include "sim/run/run.h"
#include "sim/solver/solver.h"

#include <argp.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char suffix[] = ".parts";

struct resume {
    struct render_options options;
    const char *name;      /* as given: the film or its work folder */
    char *folder, *output; /* OUT.parts and OUT */
    char *run;             /* from which the film is drawn; NULL: none */
    struct scene *scene;   /* of the film */
    bool there;            /* something is left to resume */
};

/* ---- finding the work folder ---- */

/* The length of OUT in OUT.FIRST-LAST, the name of the folder of a range of pictures; 0: another
 * form. */
static size_t before_range(const char *name, size_t length)
{
    size_t at = length;
    const char *const digits = "0123456789";
    while (at > 0 && strchr(digits, name[at - 1]))
        at--;
    if (at == length || at == 0 || name[--at] != '-')
        return 0;
    const size_t first = at;
    while (at > 0 && strchr(digits, name[at - 1]))
        at--;
    return at > 1 && at < first && name[at - 1] == '.' ? at - 1 : 0;
}

/* Sets `folder`, the work folder of a film or of a range of pictures. */
static void take_folder(struct resume *resume, const char *folder)
{
    const size_t length = strlen(folder) - (sizeof suffix - 1);
    const size_t range = before_range(folder, length);
    char *pictures = text_format("%.*s", (int)range, folder);
    const bool of_range = picture_file_named(pictures) != NULL;
    resume->folder = memory_text(folder);
    resume->output = text_format("%.*s", (int)(of_range ? range : length), folder);
    free(pictures);
}

/* Finds folders of ranges of the sequence; glob characters in the name are escaped. */
static bool find_range(struct resume *resume, size_t *count)
{
    const size_t length = strlen(resume->name);
    char *pattern = memory_new(2 * length + 32, 1), *to = pattern;
    for (const char *from = resume->name; *from; from++) {
        if (strchr("*?[\\", *from))
            *to++ = '\\';
        *to++ = *from;
    }
    strcpy(to, ".[0-9]*-*[0-9].parts");
    glob_t found;
    *count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    if (*count == 1)
        take_folder(resume, found.gl_pathv[0]);
    const bool several = *count > 1;
    if (several)
        status_fail(STATUS_USAGE,
                    "several ranges of '%s' are unfinished; name the folder of one, such as '%s'",
                    resume->name, found.gl_pathv[0]);
    globfree(&found);
    free(pattern);
    return *count == 1;
}

/* Whether the film is complete: its last frame exists. */
static bool is_complete(const char *path)
{
    struct film_info info;
    uint64_t first, last, of;
    if (!film_info_is_film(path) || film_info_read(path, &info) != STATUS_OK)
        return false;
    const char *range = tags_find(&info.tags, FILM_TAG_FRAMES);
    const bool complete = range && film_frames_read(range, &first, &last, &of) && last + 1 == of;
    film_info_free(&info);
    return complete;
}

/* Opens a sequence without a work folder by the scene in its first picture; the run then checks
 * that all pictures exist and are intact. */
static bool open_sequence(struct resume *resume)
{
    char first[PATH_MAX];
    if (png_name(resume->name, 0, first, sizeof first) != STATUS_OK || !picture_file_of(first) ||
        own_scene_open(&resume->scene, first) != STATUS_OK)
        return false;
    resume->output = memory_text(resume->name);
    resume->options.resume = true;
    return true;
}

static enum status find_folder(struct resume *resume, bool *nothing)
{
    size_t ranges = 0;
    *nothing = false;
    if (!resume->name)
        return status_fail(STATUS_USAGE, "no film was given; for example `gravreel resume "
                                         "film.mp4`");
    char *given = memory_text(resume->name);
    for (size_t at = strlen(given); at > 1 && given[at - 1] == '/'; at--)
        given[at - 1] = '\0';
    char *folder =
        text_ends_with(given, suffix) ? memory_text(given) : text_format("%s%s", given, suffix);
    free(given);
    if (manifest_exists(folder)) {
        take_folder(resume, folder);
        free(folder);
        return STATUS_OK;
    }
    if (!find_range(resume, &ranges) && ranges == 0 && !open_sequence(resume)) {
        *nothing = is_complete(resume->name);
        if (!*nothing)
            status_fail(STATUS_USAGE,
                        "there is nothing to resume: '%s' is not there; `gravreel render` begins "
                        "a film",
                        folder);
    }
    free(folder);
    return resume->output || *nothing ? STATUS_OK : STATUS_USAGE;
}

/* ---- the run in the folder ---- */

static void take_plan(struct render_options *options, const struct manifest_plan *plan)
{
    options->resume = true;
    options->as_begun = true;
    const char *with = strstr(plan->program, PROGRAM_SUFFIX);
    const struct choice *backend =
        with ? choice_find(&solver_registry, with + strlen(PROGRAM_SUFFIX)) : NULL;
    options->backend = backend ? backend->name : "cpu"; /* not named: another program wrote it */
    options->has_range = plan->first > 0 || plan->last + 1 < plan->frames;
    options->first = plan->first;
    options->last = plan->last;
    for (size_t i = 0; (options->metadata = choice_at(&film_metadata_registry, i)); i++) {
        char *end = text_format(METADATA_SUFFIX "%s", options->metadata->name);
        const bool said = text_ends_with(plan->codec, end);
        free(end);
        if (said)
            break;
    }
}

/* Finds the run from which the film is drawn: the one of --run or, by the hash of its head, the one
 * that it began with. A simulation in its place could have other bits, and takes long. */
static enum status find_drawn_run(struct resume *resume, const struct manifest_plan *plan)
{
    const char *given = resume->options.request.run;
    const char *const places[] = {plan->run_place, plan->run};
    const char *path = given;
    for (size_t i = 0; i < 2 && !path; i++)
        if (*places[i] && file_exists(places[i]))
            path = places[i];
    if (!path && *plan->run)
        return status_fail(STATUS_IO,
                           "the run '%s', from which '%s' is drawn, is not there any more; put it "
                           "back, or name it where it is with `gravreel resume %s --run FILE`",
                           plan->run, resume->output, resume->output);
    struct run *run = NULL;
    enum status status = path ? run_open(&run, path) : STATUS_OK;
    if (run && *plan->run_hash && strcmp(plan->run_hash, run_hash(run)) != 0)
        status = status_fail(STATUS_USAGE,
                             "the run '%s' is not the one from which '%s' was begun; name that one "
                             "with --run, or start over with `gravreel render -y %s -o %s`",
                             path, resume->output, path, resume->output);
    run_close(&run);
    resume->run = status == STATUS_OK && path ? memory_text(path) : NULL;
    return status;
}

/* Collective: every rank reads the run. */
static enum status take_drawn_run(struct resume *resume)
{
    enum status status = ranks_are_together() ? ranks_first_text(&resume->run) : STATUS_OK;
    if (status != STATUS_OK || !resume->run || !*resume->run)
        return status;
    log_info("the film is drawn from the run '%s'", resume->run);
    resume->options.backend = "auto"; /* computes nothing, and the run may be another machine's */
    return scene_take_run(resume->scene, resume->run);
}

static enum status read_plan(struct resume *resume, struct manifest **manifest)
{
    struct render_options *options = &resume->options;
    enum status status = manifest_read(manifest, resume->folder);
    if (status == STATUS_OK)
        status = own_scene_parse(&resume->scene, (*manifest)->plan.scene, resume->output);
    if (status != STATUS_OK)
        return status;
    take_plan(options, &(*manifest)->plan);
    options->format = (*manifest)->plan.container;
    return find_drawn_run(resume, &(*manifest)->plan);
}

/* Rank 0 sends this part of the run to the other ranks. */
struct resumed {
    uint64_t first, last;
    bool there, has_range, folder;
    char backend[16];
};

/* Collective: rank 0 has read the work folder; the others get the scene and what concerns them. */
static enum status share_run(struct resume *resume, bool nothing)
{
    struct render_options *options = &resume->options;
    struct resumed head = {options->first,     options->last,          !nothing,
                           options->has_range, resume->folder != NULL, ""};
    char *text = resume->scene ? scene_print(resume->scene) : NULL;
    snprintf(head.backend, sizeof head.backend, "%s", options->backend);
    enum status status = ranks_first(&head, sizeof head);
    if (status == STATUS_OK)
        status = ranks_first_text(&text);
    if (status == STATUS_OK && ranks_own() > 0 && head.there) {
        const struct choice *backend = choice_find(&solver_registry, head.backend);
        options->backend = backend ? backend->name : "auto";
        options->resume = true;
        options->has_range = head.has_range;
        options->first = head.first;
        options->last = head.last;
        resume->output = memory_text("");
        status = scene_parse(&resume->scene, text, "rank 0's scene");
    }
    resume->there = head.there;
    free(text);
    return status;
}

/* Finds the run and what it left. */
static enum status find_run(struct resume *resume, struct manifest **manifest, bool *nothing)
{
    enum status status = find_folder(resume, nothing);
    if (status == STATUS_OK && *nothing)
        log_info("'%s' is complete: nothing is left to resume", resume->name);
    if (status == STATUS_OK && !*nothing && resume->folder)
        status = read_plan(resume, manifest);
    else if (status == STATUS_OK && !*nothing && resume->options.request.run)
        resume->run = memory_text(resume->options.request.run); /* pictures, without a folder */
    return status;
}

/* Returns the exit code. */
static int continue_film(struct resume *resume)
{
    struct manifest *manifest = NULL;
    struct render_options *options = &resume->options;
    bool nothing = false;
    enum status status = STATUS_OK;
    resume->there = true;
    if (ranks_begin_first()) {
        status = find_run(resume, &manifest, &nothing);
        resume->there = !nothing;
    }
    status = ranks_end_first(status);
    if (status == STATUS_OK && ranks_are_together())
        status = share_run(resume, nothing);
    if (status == STATUS_OK && resume->there)
        status = take_drawn_run(resume);
    if (status == STATUS_OK && resume->there)
        status = scene_validate(resume->scene);
    options->request.scene = resume->folder ? resume->folder : resume->output;
    options->output = resume->output;
    const int code =
        status == STATUS_OK && resume->there ? render_scene(options, resume->scene) : (int)status;
    manifest_close(&manifest);
    return code;
}

static int run_resume(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"checkpoints", OPTION_CHECKPOINTS, "FOLDER", 0,
         "Store checkpoints in FOLDER as well, for other runs of the scene", HELP_FILES},
        {0},
    };
    static const struct scene_command command = {
        .name = "resume",
        .args_doc = "OUT",
        .doc = "Continues an interrupted run: OUT is the film (film.mp4), the pattern of a "
               "sequence (frames/%06d.png), or the folder OUT.parts that the run has left. Scene, "
               "frames, codec and backend are those of the run.\v"
               "Examples:\n"
               "  gravreel resume film.mp4\n"
               "  gravreel resume frames/%06d.png",
        .taker = TAKER_RESUME,
        .many = true,
        .options = table,
    };
    struct resume resume = {.name = NULL};
    struct render_options *options = &resume.options;
    enum status status = scene_command_parse(&command, options, argc, argv);
    if (status == STATUS_OK && options->scene_count > 1)
        status =
            status_fail(STATUS_USAGE, "only one film can be resumed at a time, found '%s' and '%s'",
                        options->scenes[0], options->scenes[1]);
    resume.name = options->scenes[0];
    const int code = status == STATUS_OK ? continue_film(&resume) : (int)status;
    render_options_free(options);
    scene_close(&resume.scene);
    free(resume.folder);
    free(resume.output);
    free(resume.run);
    return code;
}

const struct command command_resume = {
    .name = "resume",
    .doc = "continue an interrupted run",
    .run = run_resume,
    .on_ranks = true,
};
