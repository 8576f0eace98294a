/* What labels and marks follow. One language chooses it, in overlay.labels and look.marks:
 *
 *     galaxies, components, bodies   all of them that are drawn and have a name
 *     NAME                           as camera.follow: Milky Way, Milky Way/disk, densest, A+B
 *     halos, halo NUMBER, group NUMBER   haloes of look.halos (halos.h)
 *     body NUMBER                    as camera.follow; the same as id=NUMBER
 *     COLUMN OP NUMBER               bodies: id=17, mass > 0.2, mass > 1e10 Msun, age <= 3
 *     COLUMN OP WORD                 bodies by a column of words: name=Mars, with = or !=
 *
 * Galaxies and components are where a camera that follows them would look (render/camera/follow.h);
 * bodies are rows that views have on the host (simulation_watch).
 *
 * Another kind of thing to follow is an entry of struct tracked_kind, in a file of its own or in
 * tracking.c, and a row in `kinds` there. */
#pragma once

#include "render/draw.h"
#include "scenes/scene.h"

struct bodies;
struct halos;

struct tracking {
    struct tracked *list; /* [count] those of labels, then of marks, in the scene's order */
    size_t count, labels; /* all; those of labels */
    uint64_t *bodies;     /* [body_count] numbers of the bodies to watch, for simulation_watch */
    size_t body_count;
    struct camera_follow **follows; /* [follow_count] */
    size_t follow_count;
};

/* Finds what the scene's labels and marks choose. `parts`: of the bodies, with the radii of
 * galaxies, or without for a check alone. Collective for shared bodies. STATUS_USAGE names the key
 * of words that cannot be understood or choose nothing, or more than can have labels. Free in every
 * case. */
enum status tracking_find(struct tracking *out, const struct scene *scene,
                          const struct bodies *bodies, struct halos *halos,
                          const struct camera_part *parts, int count);
void tracking_free(struct tracking *tracking); /* accepts all zero, and leaves it so */

/* Lists the columns of a file that the scene's choices need beside masses and ids, ended by NULL.
 * The caller frees list and names. */
void tracking_columns(const struct scene *scene, char ***list);

/* ---- for kinds ---- */

struct tracked_search {
    const char *words, *text; /* what chooses; the label's text, "": its own */
    uint32_t entry;
    const char *place; /* for messages: overlay.labels[2].of */
    const struct scene *scene;
    const struct bodies *bodies;
    struct halos *halos; /* of look.halos (halos.h); NULL: none */
    const struct camera_part *parts;
    int part_count;
};

struct tracked_kind {
    const char *name, *doc;
    /* Adds what the words choose by tracking_add. *is: whether the words are of this kind; if not,
     * nothing is added. */
    enum status (*find)(const struct tracked_search *search, struct tracking *out, bool *is);
};

/* Adds one, with the label's text or else `name`. */
void tracking_add(struct tracking *tracking, const struct tracked_search *search, const char *name,
                  const struct tracked *tracked);
