#include "cmd/regression/verify/verify.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "cmd/film/tags.h"
#include "scenes/print.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- whether it is the film's own ---- */

/* A list of everything that disagrees. */
struct problems {
    int count;
    char text[STATUS_TEXT_MAX];
};

__attribute__((format(printf, 2, 3))) static void add(struct problems *problems, const char *format,
                                                      ...)
{
    size_t used = strlen(problems->text);
    va_list arguments;
    if (problems->count++ > 0 && used + 3 < sizeof problems->text) {
        memcpy(problems->text + used, "; ", 3);
        used += 2;
    }
    va_start(arguments, format);
    vsnprintf(problems->text + used, sizeof problems->text - used, format, arguments);
    va_end(arguments);
}

static void check_texts(const struct subject *subject, struct problems *problems)
{
    const struct tags *tags = &subject->film.tags;
    const char *text = tags_find(tags, FILM_TAG_SCENE),
               *hash = tags_find(tags, FILM_TAG_SCENE_HASH), *seed = tags_find(tags, FILM_TAG_SEED),
               *range = tags_find(tags, FILM_TAG_FRAMES);
    char found[32] = "";
    if (!text) {
        add(problems, "the film has tags of this program, but no scene");
        return;
    }
    scene_text_hash(text, found);
    if (!hash)
        add(problems, "the scene has no hash");
    else if (strcmp(hash, found) != 0)
        add(problems, "the scene's hash is %s, but its tag says %.32s", found, hash);
    if (subject->refusal)
        add(problems, "the scene is refused: %s", subject->refusal);
    if (!subject->scene)
        return;
    snprintf(found, sizeof found, "%" PRIu64, subject->scene->bodies.seed);
    if (seed && strcmp(seed, found) != 0)
        add(problems, "the scene's seed is %s, but its tag says %.32s", found, seed);
    if (!subject->film.is_film)
        return; /* the file names say which frames these are */
    if (!range)
        add(problems, "no tag says which frames these are");
    else if (!subject->has_range)
        add(problems, "the tag of the frames says '%.40s'", range);
    else if (subject->of != subject->scene->output.frames)
        add(problems, "the scene has %" PRIu64 " frames, but the tag of the frames says %" PRIu64,
            (uint64_t)subject->scene->output.frames, subject->of);
}

/* Returns whether the sizes match; a padded film has at most one more column or row. */
static bool fits(uint32_t film, uint32_t scene, bool pad)
{
    return film == scene || (pad && film == scene + scene % 2);
}

static void check_film(const struct subject *subject, struct problems *problems)
{
    const struct inspection *film = &subject->film;
    const struct output_params *output = &subject->scene->output;
    if (!fits(film->width, output->size.width, output->pad) ||
        !fits(film->height, output->size.height, output->pad))
        add(problems, "the scene has %ux%u pixels, the film %ux%u", output->size.width,
            output->size.height, film->width, film->height);
    if (film->is_film &&
        (uint64_t)film->fps_num * output->fps.den != (uint64_t)film->fps_den * output->fps.num)
        add(problems, "the scene has %u/%u frames per second, the film %u/%u", output->fps.num,
            output->fps.den, film->fps_num, film->fps_den);
}

void verify_scene(const struct subject *subject, struct stage_report *stage)
{
    struct problems problems = {0};
    if (!subject->ours) {
        stage_not_applicable(stage, "the film holds no scene of this program");
        return;
    }
    if (subject->damaged)
        add(&problems, "the tag '%s' is damaged", subject->damaged);
    else
        check_texts(subject, &problems);
    if (subject->scene)
        check_film(subject, &problems);
    stage->planned = stage->compared = 1;
    struct finding *finding =
        stage_measured(stage, subject->limits, &rules[RULE_FILM_SCENE], (double)problems.count);
    finding_say(finding, "%s",
                problems.count ? problems.text : "the film's scene agrees with it and its tags");
    stage_say(stage, "%s", finding->text);
    stage_conclude(stage);
}

/* ---- whether it may be drawn ---- */

static enum status check_hash(const struct subject *subject)
{
    const struct tags *tags = &subject->film.tags;
    const char *text = tags_find(tags, FILM_TAG_SCENE),
               *hash = tags_find(tags, FILM_TAG_SCENE_HASH);
    char found[32] = "";
    if (text)
        scene_text_hash(text, found);
    if (text && hash && strcmp(found, hash) == 0)
        return STATUS_OK;
    return status_fail(STATUS_MISMATCH, "its scene does not match its hash");
}

static enum status check_count(const struct subject *subject)
{
    const uint64_t count = subject->scene->bodies.count;
    if (count <= TRUST_BODIES_MAX)
        return STATUS_OK;
    return status_fail(STATUS_MISMATCH,
                       "its scene asks for %" PRIu64
                       " bodies, but verify simulates at most %d for a scene that comes with the "
                       "film; use `gravreel render` for more",
                       count, (int)TRUST_BODIES_MAX);
}

/* Returns whether `place`, which is already resolved, is below the folder after symbolic links are
 * followed. */
static bool is_within(const char *place, const char *folder)
{
    char *top = realpath(folder, NULL);
    const size_t length = top ? strlen(top) : 0;
    const bool within =
        top && strncmp(place, top, length) == 0 && (place[length] == '/' || top[length - 1] == '/');
    free(top);
    return within;
}

static bool is_within_data(const char *place)
{
    const char *data = getenv("GRAVREEL_DATA");
    char *folders = memory_text(data ? data : ""), *rest = NULL;
    bool within = false;
    for (char *at = strtok_r(folders, ":", &rest); at && !within; at = strtok_r(NULL, ":", &rest))
        within = is_within(place, at);
    free(folders);
    return within;
}

/* Checks the bodies files. A missing file is not refused here: opening the bodies fails. All
 * snapshots are checked. */
static enum status check_bodies_file(const struct subject *subject)
{
    const struct bodies_params *bodies = &subject->scene->bodies;
    if (!bodies->model->reads_file || !bodies->file[0])
        return STATUS_OK;
    char *folder = file_folder(subject->film.file ? subject->film.file : subject->path), **files;
    const size_t count = file_matches(bodies->file, &files);
    bool allowed = count > 0 || bodies->file[0] != '/';
    for (size_t k = 0; k < count; k++) {
        char *place = realpath(files[k], NULL);
        allowed &= place && (is_within(place, folder) || is_within_data(place));
        free(place);
        free(files[k]);
    }
    free(files);
    free(folder);
    if (!allowed)
        return status_fail(STATUS_MISMATCH,
                           "its scene reads the bodies file '%.200s', which is neither in the "
                           "film's folder nor in one of $GRAVREEL_DATA, so it is not opened; add "
                           "its folder to GRAVREEL_DATA to allow it",
                           bodies->file);
    log_info("the bodies file of '%s' is '%s'", subject->path, bodies->file);
    return STATUS_OK;
}

enum status trust_scene(const struct subject *subject)
{
    enum status status = check_hash(subject);
    if (status == STATUS_OK)
        status = check_count(subject);
    return status == STATUS_OK ? check_bodies_file(subject) : status;
}
