#include "cmd/regression/verify/trust.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "cmd/film/tags.h"
#include "scenes/print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
