/* The simulations that a scene's panels need: panels may differ in force and softening. */
#pragma once

#include "base/status.h"
#include "render/draw.h"
#include "scenes/scene.h"

struct bodies;
struct component;

/* The distinct simulations, in the order of the panels that first show them; one if there are no
 * panels. */
struct film_sources {
    int count;
    struct simulation_params params[PANELS_MAX]; /* strings and lists belong to the scene */
    int panel[PANELS_MAX];                       /* the source of each panel */
};
/* The bodies whose snapshots give the motion; NULL: the scene is simulated. */
const struct bodies_params *film_played(const struct scene *scene);

void film_sources(const struct scene *scene, struct film_sources *out);

/* What tells the motion of one simulation of a scene from another's, as text. */
void film_physics(const struct simulation_params *params, char *out, size_t size);

/* Appends what tells the scene's simulations apart, a line for each of film_sources. */
void film_physics_list(const struct scene *scene, char **text);

/* Groups of a film's bodies that are drawn alike: the drawn components, with the tints of each
 * picture. */

/* The pictures' groups differ in tints, by galaxy or by component depending on the picture's colour
 * mode, with colours from look.colors or else look.palette; and in light, for the mode stars. */
struct film_groups {
    struct draw_group *list[PANELS_MAX]; /* [count] each; NULL beyond the pictures */
    int count;
};

/* STATUS_USAGE when look.colors names something that does not exist; a warning for colours that no
 * picture shows. */
enum status film_groups_check(const struct scene *scene, const struct bodies *bodies);

/* Names belong to the bodies or the scene. Free also after a failure. */
enum status film_groups_make(struct film_groups *out, const struct scene *scene,
                             const struct bodies *bodies);
/* The light of one body of a component in the look's colours, without look.weight. */
double film_light(const struct component *component, const struct look_params *look);

void film_groups_free(struct film_groups *groups);

/* Whether a camera, label or mark of the scene follows bodies. */
bool film_follows(const struct scene *scene);

/* Whether a camera follows single bodies by their numbers (or parts that are called so). */
bool film_follows_bodies(const struct scene *scene);

/* The bodies that a film's cameras follow by their numbers. Plain values. */
struct film_watch {
    struct camera_bodies bodies;   /* for cameras */
    size_t row[VIEW_FOLLOWED_MAX]; /* among all bodies, for simulation_follow */
    struct {
        const char *galaxy, *component; /* the names in the bodies that were searched */
        double position[3], velocity[3];
    } start[VIEW_FOLLOWED_MAX];
};

/* Finds them among the bodies at frame 0; a number that no body has is left to the camera, which
 * reports it. STATUS_USAGE if several bodies have it. Collective for shared bodies. */
enum status film_watch_find(struct film_watch *out, const struct camera_params *camera,
                            const struct look_params *look, const struct bodies *bodies);

/* For a pilot run, which has other bodies: the rows of those that begin nearest to the watched
 * ones, in the same component if there is one of its name. watch NULL: none. */
void film_watch_stand_in(const struct film_watch *watch, const struct bodies *bodies,
                         size_t row[VIEW_FOLLOWED_MAX]);
/* Fills the `followed` of a view with these bodies. */
void film_watch_show(const struct film_watch *watch, const struct bodies *bodies,
                     const size_t row[VIEW_FOLLOWED_MAX], struct view *view);
/* The same for frame 0 of the film itself. */
void film_watch_start(const struct film_watch *watch, struct view *view);

/* The parts that camera.follow can name: one per component, in order, with the bodies' own names,
 * and with the radii of galaxies' cores if the scene follows bodies. Collective for shared bodies.
 * free() frees *out, also after a failure. */
enum status film_camera_parts(struct camera_part **out, const struct scene *scene,
                              const struct bodies *bodies);
/* The same without the radii; *count of them. */
struct camera_part *film_camera_names(const struct bodies *bodies, int *count);
