/* A baseline is the record of a film as text for git, NAME.json, and a folder of objects beside it,
 * NAME.objects/, with a few states and pictures of the film. The text alone detects changes. The
 * objects show the changes, and let later stages be judged when an earlier one has changed.
 * Functions return STATUS_IO for a file that cannot be read, was edited or is damaged, STATUS_USAGE
 * for a text in a newer format and for a manifest that is not a baseline, and STATUS_MISMATCH for a
 * folder. Used by one thread at a time. */
#pragma once

#include "cmd/film/scene/request.h"
#include "cmd/regression/record/record.h"
#include "render/renderer.h"
#include "scenes/scene.h"

enum {
    /* Format 1 has the renderer's state in the objects of states. Formats 1 and 2 have ensembles,
     * variants and what a self-test saw, which are no longer read. */
    BASELINE_FORMAT = 3,
    BASELINE_STATES_MAX = 5,
    BASELINE_PICTURES_MAX = 16,
    /* Upper bounds in bytes: a text that a reviewer can still read a diff of, and objects that a
     * repository can keep. */
    BASELINE_TEXT_MOST = 200000,
    BASELINE_OBJECTS_MOST = 2000000
};

/* Where a baseline's scene came from: a built-in scene or a file, and the settings changed on the
 * command line. A check opens the same scene again, so that it notices when the scene has changed
 * since. The record holds the scene as it was. Paths are relative to the folder of the baseline's
 * text, so that the repository can be anywhere. */
struct origin_setting {
    char *key, *append; /* the key to set, or the key to append to; the other is NULL */
    char *value;
};

struct origin {
    char *scene, *bodies_from; /* bodies_from NULL: as the scene says */
    uint32_t setting_count;
    struct origin_setting *settings;
};

struct stored {
    uint64_t frame;
    char object[HASH_TEXT];
    /* Only for a state: the renderer's state before that frame. It is not part of the object, so
     * that the object stays the same with another camera, whose metered exposure differs. */
    bool has_renderer;
    uint32_t renderer_count; /* as written; the remaining numbers are 0 */
    double renderer[RENDERER_STATE];
};

/* One acceptance; the first entry is the recording. */
struct accepted {
    char *date, *author, *because; /* date: 2026-11-22 */
    char *stages;                  /* "picture, packets"; "" for the recording */
};

struct baseline {
    char *path, *name, *folder; /* of the text; "default"; of the objects */
    char hash[HASH_TEXT];       /* of the text as it was read */
    struct record record;       /* its scene names a bodies file relative to the text's folder */
    struct origin origin;
    uint32_t state_count, picture_count;
    struct stored states[BASELINE_STATES_MAX], pictures[BASELINE_PICTURES_MAX];
    char encoding[HASH_TEXT]; /* record of the stored pictures as a film; "": none */
    char anchor[HASH_TEXT];   /* record of the first baseline; "": this is the first */
    struct accepted *history;
    uint32_t history_count;
};

/* Makes an empty baseline. Its text will be at `path`, which ends in .json. */
void baseline_start(struct baseline *out, const char *path);
void baseline_free(struct baseline *baseline); /* accepts a zeroed one */

/* Copies the texts. */
void baseline_add_history(struct baseline *baseline, const char *date, const char *author,
                          const char *because, const char *stages);

/* Returns whether the baseline names the object. */
bool baseline_names(const struct baseline *baseline, const char *object);

/* Free in every case. Collective on ranks: rank 0 reads the file for all. */
enum status baseline_read(struct baseline *out, const char *path);

/* Replaces the text in one step, after all objects that it names are written, then removes objects
 * that no text names any more. Returns STATUS_USAGE when the text is larger than it may be. */
enum status baseline_write(struct baseline *baseline);

/* Writes or reads the object that holds a record's text; `limit` bounds the size of the text. */
enum status baseline_put_record(const struct baseline *baseline, const struct record *record,
                                char object[HASH_TEXT]);
enum status baseline_get_record(const struct baseline *baseline, const char *object,
                                struct record *out);

/* Sets the anchor of the baseline that replaces `before`: the anchor of `before`, or its record if
 * it has none. */
enum status baseline_keep_anchor(struct baseline *baseline, const struct baseline *before);

/* Returns the section "baseline"; the caller frees it. NULL when a string in it is not UTF-8. */
char *baseline_to_json(const struct baseline *baseline);

/* Fills in everything that baseline_free frees except record, path, name, folder and hash. Returns
 * STATUS_USAGE for a newer format, and STATUS_IO for a text that baseline_to_json did not make. */
enum status baseline_from_json(struct baseline *baseline, const char *text);

/* ---- the scene ---- */

/* `folder` is the folder of the baseline's text. Returns STATUS_IO when a file of the scene is
 * missing. */
enum status origin_take(struct origin *out, const struct scene_request *request,
                        const char *folder);
void origin_add(struct origin *origin, const char *key, const char *value, bool append);

/* Resolves a path in the origin of a text in `folder`. The caller frees it. */
char *origin_path(const char *folder, const char *path);

/* Opens the scene as its origin defines it now. */
enum status origin_open(const struct origin *origin, const char *folder, struct scene **out);

/* Opens the scene in a record, whose bodies file is relative to `folder`; `name` is the baseline's,
 * for messages. */
enum status origin_open_text(const char *text, const char *folder, const char *name,
                             struct scene **out);

/* Returns the scene in the form that a record keeps, with its bodies file relative to the folder,
 * and the hash of that text. free() frees the text. */
char *origin_print(struct scene *scene, const char *folder, char hash[17]);
