#include "cmd/view/view_pictures.h"

#include "base/clock.h"
#include "base/json/facts.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/film/start/panels.h"
#include "cmd/view/plans.h"
#include "render/camera/camera.h"
#include "render/picture/picture.h"
#include "scenes/scene_check.h"
#include "scenes/print.h"
#include "scenes/value.h"
#include "sim/views.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A film that is open for drawing. */
struct sight {
    char *identity; /* NULL: none is open */
    struct scene *scene;
    struct film film;
    struct recorded *recorded; /* NULL: the start alone is known */
    struct view *view;
    struct picture *picture;
    double start[RENDERER_STATE]; /* the exposure found at frame 0 */
    uint64_t used;
};

/* One for pictures that move, one for those at rest, and two for the others, such as presets. */
enum { SIGHTS = 4 };

/* A request that waits on its caller's stack. */
struct asked {
    const struct wish *wish;
    struct answer *answer;
    bool done;
};

enum { FOREGROUND, BACKGROUND, LANES };

struct pictures {
    const struct view_source *source;
    struct motion *motion;
    struct plans *plans;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t asked, answered;
    struct asked *waiting[LANES];
    bool ending;
    char *story;
    uint64_t story_serial;
    /* The rest belongs to the thread. */
    struct sight sights[SIGHTS];
    struct sight *bound;
    uint64_t clock; /* counts pictures, for the least recently used sight */
};

/* ---- sights ---- */

static void leave(struct pictures *pictures)
{
    if (pictures->bound)
        renderer_unbind(pictures->bound->film.renderer);
    pictures->bound = NULL;
}

static enum status enter(struct pictures *pictures, struct sight *sight)
{
    if (pictures->bound == sight)
        return STATUS_OK;
    leave(pictures);
    const enum status status = renderer_bind(sight->film.renderer);
    if (status == STATUS_OK)
        pictures->bound = sight;
    return status;
}

static void close_sight(struct pictures *pictures, struct sight *sight)
{
    if (sight->picture)
        renderer_picture_destroy(sight->film.renderer, &sight->picture);
    if (pictures->bound == sight)
        leave(pictures);
    views_destroy(sight->film.simulations, &sight->view);
    film_close(&sight->film);
    recorded_release(&sight->recorded);
    scene_close(&sight->scene);
    free(sight->identity);
    *sight = (struct sight){0};
}

static void put_captions(struct facts *facts, const struct film *film)
{
    const struct overlay_params *overlay = &film->scene->overlay;
    facts_list(facts, "captions");
    for (uint32_t i = 0; i < overlay->caption_count && i < film->script.caption_count; i++) {
        const struct caption_found *found = &film->script.captions[i];
        if (found->ends <= found->begins)
            continue;
        struct facts *item = facts_item(facts, "captions");
        facts_text(item, "text", found->text ? found->text : overlay->captions[i].text);
        facts_number(item, "begins", found->begins);
        facts_number(item, "ends", found->ends);
    }
}

static void put_moments(struct facts *facts, const struct film *film)
{
    const struct script *script = &film->script;
    const double fps = (double)film->scene->output.fps.num / film->scene->output.fps.den;
    facts_list(facts, "moments");
    if (script->passage >= 0) {
        struct facts *item = facts_item(facts, "moments");
        facts_text(item, "name", moment_word(MOMENT_PERICENTRE));
        facts_flag(item, "event", true);
        facts_number(item, "frame", script->passage * fps);
    }
    for (uint32_t i = 0; i < film->scene->camera.move_count; i++) {
        struct facts *item = facts_item(facts, "moments");
        facts_text(item, "name", "move of the camera");
        facts_number(item, "frame", script->move_from[i]);
    }
    facts_list(facts, "keyframes");
    for (uint32_t i = 0; i < film->scene->camera.keyframe_count; i++)
        facts_number(facts_list(facts, "keyframes"), NULL, script->keyframe[i]);
}

/* Describes captions and moments for the page's timeline. */
static void tell_story(struct pictures *pictures, const struct sight *sight)
{
    struct facts *facts = facts_open();
    put_captions(facts, &sight->film);
    put_moments(facts, &sight->film);
    facts_number(facts, "distance", sight->film.shown.found.camera.distance);
    char *story = facts_written(&facts, 0, 9);
    pthread_mutex_lock(&pictures->mutex);
    if (!pictures->story || strcmp(pictures->story, story) != 0) {
        free(pictures->story);
        pictures->story = story;
        story = NULL;
        pictures->story_serial++;
    }
    pthread_mutex_unlock(&pictures->mutex);
    free(story);
}

/* Frame 0 sets the exposure. */
static enum status meter(struct sight *sight)
{
    enum status status = views_fill(sight->film.simulations, sight->view);
    if (status == STATUS_OK)
        status = renderer_meter(sight->film.renderer, sight->view);
    if (status == STATUS_OK)
        renderer_state(sight->film.renderer, sight->start);
    return status;
}

/* What is to be drawn. */
struct subject {
    struct scene *scene;
    char *identity;            /* of the sight that draws it */
    struct recorded *recorded; /* NULL: the start alone is known */
    uint64_t frame;
    bool whole; /* with all bodies of the film, so that these have its numbers */
    char *plan; /* NULL: none is needed */
    bool near;  /* it is one of another size, camera or look */
};

static void free_subject(struct subject *subject)
{
    free(subject->plan);
    free(subject->identity);
    scene_close(&subject->scene);
    recorded_release(&subject->recorded);
}

/* Takes over the subject's identity, scene and run. */
static enum status open_sight(struct pictures *pictures, struct sight *sight,
                              struct subject *subject)
{
    const struct film_options how = {.scene = subject->scene,
                                     .run = subject->recorded ? subject->recorded->run : NULL,
                                     .plan = subject->plan,
                                     .near = subject->near,
                                     .backend = pictures->source->backend,
                                     .device = pictures->source->device,
                                     .format = PICTURE_RGBA8,
                                     .unfaded = true};
    close_sight(pictures, sight);
    leave(pictures); /* opening a renderer leaves no context current */
    sight->identity = subject->identity;
    sight->scene = subject->scene;
    sight->recorded = subject->recorded;
    subject->identity = NULL;
    subject->scene = NULL;
    subject->recorded = NULL;
    enum status status = view_open_film(&sight->film, &how);
    if (status == STATUS_OK)
        status = views_create(sight->film.simulations, sight->film.simulation_count, &sight->view);
    if (status == STATUS_OK)
        status = enter(pictures, sight);
    if (status == STATUS_OK)
        status = renderer_picture_create(sight->film.renderer, &sight->picture);
    if (status == STATUS_OK)
        status = meter(sight);
    if (status == STATUS_OK && sight->recorded)
        tell_story(pictures, sight);
    if (status != STATUS_OK)
        close_sight(pictures, sight);
    return status;
}

static struct sight *find_sight(struct pictures *pictures, const char *identity)
{
    struct sight *oldest = pictures->sights;
    for (struct sight *sight = pictures->sights; sight < pictures->sights + SIGHTS; sight++) {
        if (sight->identity && strcmp(sight->identity, identity) == 0)
            return sight;
        if (sight->used < oldest->used)
            oldest = sight;
    }
    return oldest;
}

/* ---- the scene that is drawn ---- */

/* Removes a section of a printed scene. */
static void drop_section(char *text, const char *name)
{
    char *heading = text_format("\n%s:", name), *begin = strstr(text, heading);
    if (begin) {
        const char *end = begin + 1;
        do
            end = strchr(end, '\n') ? strchr(end, '\n') + 1 : end + strlen(end);
        while (*end == ' ' || *end == '-');
        memmove(begin + 1, end, strlen(end) + 1);
    }
    free(heading);
}

static void cut_camera(struct scene *scene)
{
    const struct camera_params *camera = &scene->camera;
    const struct moment *at = camera->keyframe_count == 1 ? &camera->keyframes[0].at : NULL;
    if (!at || at->kind != MOMENT_START)
        scene_forget(scene, "camera.keyframes");
    scene_forget(scene, "camera.moves");
}

/* Before anything has been simulated, only the start can be shown: everything that happens later,
 * and would take a pilot run to find, is left out. */
static enum status cut_to_start(struct scene *scene)
{
    enum { BODIES = 65536 };
    static const char *const later[] = {
        "overlay.captions", "overlay.labels",  "overlay.clock_from",  "overlay.clock_event",
        "overlay.card",     "simulation.slow", "look.fade_in",        "look.fade_out",
        "output.loop",      "expect",          "simulation.freeze_at"};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        if (key_path_find(later[i]))
            scene_forget(scene, later[i]);
    cut_camera(scene);
    for (size_t i = 0; i < scene_key_count; i++)
        value_hold(&scene_keys[i], scene);
    scene->output.frames = 1;
    if (!scene->run && !scene->bodies.model->reads_file && !film_follows_bodies(scene) &&
        scene->bodies.count > BODIES)
        scene->bodies.count = BODIES;
    return scene_validate(scene);
}

/* Whether the camera has keyframes of numbers, with which a film is opened anew. */
static bool moves_by_number(const struct scene *scene)
{
    bool moves = false;
    for (size_t i = 0; i < scene_key_count && scene->camera.keyframe_count == 0; i++)
        moves |= scene->tracks[i].count > 0 && strcmp(scene_keys[i].section, "camera") == 0;
    return moves;
}

static enum status compose(struct pictures *pictures, const struct wish *wish, struct subject *out)
{
    struct wish own = *wish;
    char *size = NULL;
    *out = (struct subject){.frame = wish->frame};
    if (wish->width > 0 && own.setting_count < SETTINGS_MAX) {
        size = text_format("%ux%u", wish->width, wish->height);
        own.settings[own.setting_count++] =
            (struct setting){(char *)"output.size", size, "the page", false};
    }
    enum status status = view_scene(pictures->source, own.settings, own.setting_count, &out->scene);
    free(size);
    if (status == STATUS_OK && !wish->background)
        status = motion_follow(pictures->motion, out->scene);
    if (status != STATUS_OK)
        return status;
    if (out->frame >= out->scene->output.frames)
        out->frame = out->scene->output.frames - 1;
    const uint64_t bodies = out->scene->bodies.count;
    out->recorded = motion_hold(pictures->motion, film_follows_bodies(out->scene), &out->frame);
    if (out->recorded)
        recorded_adapt(out->recorded, out->scene);
    else
        status = cut_to_start(out->scene);
    out->whole = out->scene->bodies.count == bodies;
    if (wish->moving && out->scene->look.stars == 0)
        out->scene->look.stars = 1;
    if (status != STATUS_OK)
        return status;
    char *text = scene_print(out->scene);
    if (!wish->exact && !moves_by_number(out->scene))
        drop_section(text, "camera");
    out->identity = text_format("%p %d %s", (void *)out->recorded, wish->exact, text);
    free(text);
    return STATUS_OK;
}

/* ---- facts ---- */

static void put_camera(struct facts *facts, const struct sight *sight,
                       const struct camera_params *camera)
{
    struct renderer_params params = sight->film.shown;
    struct camera_aim aim;
    double centre[3] = {0};
    renderer_aim_at(sight->film.renderer, sight->view, &aim);
    params.camera = *camera;
    if (camera_find_target(&params, 0, sight->view, centre) == STATUS_OK)
        vector_add(centre, centre, -1, camera->target);
    facts_vector(facts, "eye", aim.eye);
    facts_vector(facts, "target", aim.target);
    facts_vector(facts, "up", aim.up);
    facts_number(facts, "fov", aim.fov);
    facts_vector(facts, "centre", centre); /* that camera.follow adds to positions */
    facts_number(facts, "distance", camera_aim_distance(&aim));
}

/* The part of the picture's height within which a body is near the pointer. */
static const double NEAR = 0.04;

/* What is at a place of the picture. */
struct picked {
    const char *part; /* the galaxy, or else the component, with most bodies near it; "": none */
    size_t body;      /* the one nearest to it, if there is a part */
};

static enum status pick(const struct sight *sight, const double place[2], struct picked *out)
{
    const struct film *film = &sight->film;
    const struct view *view = sight->view;
    const double aspect = (double)sight->picture->layout.width / sight->picture->layout.height;
    struct camera_aim aim;
    double axis[3][3], most = 0, nearest = 2 * NEAR;
    float *rows = malloc((view->count + 1) * 4 * sizeof *rows);
    *out = (struct picked){.part = ""};
    if (!rows)
        return status_fail(STATUS_RUNTIME, "not enough memory for the places of %zu bodies",
                           view->count);
    const enum status status = simulation_view_read(film->simulations[0], view->memory,
                                                    view->position, 4 * view->count, rows);
    renderer_aim_at(film->renderer, view, &aim);
    camera_aim_axes(&aim, axis[0], axis[1], axis[2]);
    const double tangent = fn_tan(aim.fov * M_PI / 360);
    for (int p = 0; status == STATUS_OK && p < film->shown.part_count; p++) {
        const struct camera_part *part = &film->parts[p];
        double near = 0;
        for (size_t i = part->first; part->draw && i < part->first + part->count; i++) {
            double at[3] = {0};
            for (int a = 0; a < 3; a++)
                for (int c = 0; c < 3; c++)
                    at[a] += axis[a][c] * ((double)rows[4 * i + (size_t)c] - aim.eye[c]);
            const double x = at[0] / (-at[2] * tangent), y = at[1] / (-at[2] * tangent);
            const double away = fn_hypot(x - (2 * place[0] - 1) * aspect, y - (1 - 2 * place[1]));
            near += at[2] < 0 && away < 2 * NEAR;
            if (at[2] < 0 && away < nearest) {
                nearest = away;
                out->body = i;
            }
        }
        if (near > most) {
            most = near;
            out->part = part->galaxy[0] ? part->galaxy : part->component;
        }
    }
    free(rows);
    return status;
}

/* The body's number is the film's only if `whole`. */
static void put_picked(struct facts *facts, const struct sight *sight, const struct picked *picked,
                       bool whole)
{
    const uint64_t *id = sight->film.bodies->id;
    char name[32];
    facts_text(facts, "picked", picked->part);
    if (!picked->part[0] || !whole)
        return;
    snprintf(name, sizeof name, "body %llu",
             (unsigned long long)(id ? id[picked->body] : picked->body + 1));
    facts_text(facts, "body", name);
}

static enum status describe(const struct sight *sight, const struct wish *wish,
                            const struct subject *subject, double began, char **out)
{
    static const char *const stages[] = {"start", "pilot", "full"};
    const enum motion_stage stage = sight->recorded ? sight->recorded->stage : MOTION_START;
    const struct scene *scene = subject->scene ? subject->scene : sight->scene;
    struct picked picked = {.part = ""};
    const enum status status = wish->picks ? pick(sight, wish->pick, &picked) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    struct facts *facts = facts_open();
    facts_whole(facts, "frame", sight->view->frame);
    facts_number(facts, "time", sight->view->time);
    facts_text(facts, "stage", stages[stage]);
    facts_whole(facts, "bodies", sight->view->count);
    put_camera(facts, sight, &scene->camera);
    if (wish->picks)
        put_picked(facts, sight, &picked, subject->whole);
    facts_number(facts, "seconds", clock_seconds() - began);
    *out = facts_written(&facts, 0, 9);
    return STATUS_OK;
}

/* ---- drawing ---- */

static enum status copy(const struct picture *picture, struct answer *answer)
{
    const struct picture_layout *layout = &picture->layout;
    answer->width = layout->width;
    answer->height = layout->height;
    answer->stride = layout->plane[0].stride;
    answer->pixels = malloc(answer->stride * layout->height);
    if (!answer->pixels)
        return status_fail(STATUS_RUNTIME, "not enough memory for a picture of %ux%u",
                           layout->width, layout->height);
    memcpy(answer->pixels, picture->data + layout->plane[0].offset,
           answer->stride * layout->height);
    return STATUS_OK;
}

static bool same_moment(const struct moment *a, const struct moment *b)
{
    return a->kind == b->kind && a->value == b->value && a->shift == b->shift;
}

/* Whether a plan of one scene has the moments of the other. */
static bool same_moments(const struct scene *a, const struct scene *b)
{
    const struct overlay_params *x = &a->overlay, *y = &b->overlay;
    bool same = x->caption_count == y->caption_count && a->output.frames == b->output.frames &&
                same_moment(&x->clock_from, &y->clock_from);
    for (uint32_t i = 0; same && i < x->caption_count; i++) {
        const struct caption_params *c = &x->captions[i], *d = &y->captions[i];
        same = strcmp(c->text, d->text) == 0 && strcmp(c->when, d->when) == 0 &&
               same_moment(&c->from, &d->from) && same_moment(&c->to, &d->to);
    }
    for (size_t k = 0; same && k < scene_key_count; k++) {
        const struct track *c = &a->tracks[k], *d = &b->tracks[k];
        same = c->count == d->count;
        for (uint32_t i = 0; same && i < c->count; i++)
            same = same_moment(&c->points[i].at, &d->points[i].at);
    }
    same = same && x->label_count == y->label_count;
    for (uint32_t i = 0; same && i < x->label_count; i++)
        same = same_moment(&x->labels[i].from, &y->labels[i].from) &&
               same_moment(&x->labels[i].to, &y->labels[i].to);
    return same;
}

/* Gives the scene the camera of another one; the second then has the first's. */
static void swap_cameras(struct scene *a, struct scene *b)
{
    for (size_t i = 0; i < scene_key_count; i++)
        if (strcmp(scene_keys[i].section, "camera") == 0)
            value_swap(&scene_keys[i], a, b);
}

/* Opens the sight by the plan of its film. Where the picture need not be exact, the plan of the
 * simulated scene will do, with the camera that it is for; that of the subject comes afterwards. */
static enum status open_planned(struct pictures *pictures, const struct wish *wish,
                                struct sight *sight, struct subject *subject)
{
    struct scene *given = NULL;
    enum status status =
        plans_get(pictures->plans, subject->scene, subject->recorded, &subject->plan);
    if (status != STATUS_OK)
        return status;
    subject->near = true;
    if (subject->plan)
        return open_sight(pictures, sight, subject);
    if (wish->exact || !same_moments(subject->scene, subject->recorded->scene))
        return STATUS_STOPPED;
    status = scene_copy(&given, subject->recorded->scene);
    if (status == STATUS_OK) {
        swap_cameras(given, subject->scene);
        subject->plan = memory_text(subject->recorded->plan);
        status = open_sight(pictures, sight, subject);
    }
    if (status == STATUS_OK)
        status = film_aim(&sight->film, &given->camera) == STATUS_OK ? STATUS_OK : STATUS_STOPPED;
    scene_close(&given);
    return status;
}

/* Finds the sight of the subject, or opens it. STATUS_STOPPED: it takes a plan that is being
 * made. */
static enum status sight_of(struct pictures *pictures, const struct wish *wish,
                            struct subject *subject, struct sight **out)
{
    struct sight *sight = *out = find_sight(pictures, subject->identity);
    sight->used = ++pictures->clock;
    if (sight->identity && strcmp(sight->identity, subject->identity) == 0) {
        const enum status status = enter(pictures, sight);
        if (status != STATUS_OK || wish->exact ||
            film_aim(&sight->film, &subject->scene->camera) == STATUS_OK)
            return status; /* or it has another number of keyframes */
    }
    return subject->recorded ? open_planned(pictures, wish, sight, subject)
                             : open_sight(pictures, sight, subject);
}

static enum status show(const struct sight *sight, uint64_t frame)
{
    const struct film *film = &sight->film;
    enum status status = STATUS_OK;
    for (int i = 0; sight->recorded && i < film->simulation_count && status == STATUS_OK; i++)
        status = simulation_show(film->simulations[i], frame);
    if (status == STATUS_OK)
        status = views_fill(film->simulations, sight->view);
    if (status == STATUS_OK)
        renderer_resume(film->renderer, sight->start);
    if (status == STATUS_OK)
        status = renderer_submit(film->renderer, sight->view, sight->picture);
    return status == STATUS_OK ? renderer_wait(film->renderer) : status;
}

static enum status draw(struct pictures *pictures, const struct wish *wish, struct answer *answer)
{
    struct subject subject;
    struct sight *sight = NULL;
    const double began = clock_seconds();
    enum status status = compose(pictures, wish, &subject);
    if (status == STATUS_OK)
        status = sight_of(pictures, wish, &subject, &sight);
    if (status == STATUS_OK)
        status = show(sight, subject.frame);
    if (status == STATUS_OK)
        status = describe(sight, wish, &subject, began, &answer->facts);
    if (status == STATUS_OK)
        status = copy(sight->picture, answer);
    free_subject(&subject);
    return status;
}

static void fail(struct answer *answer, enum status status)
{
    free(answer->pixels);
    free(answer->facts);
    *answer = (struct answer){.how = status == STATUS_STOPPED ? ANSWER_LATER : ANSWER_FAILED,
                              .status = status};
    snprintf(answer->sentence, sizeof answer->sentence, "%s", status_text());
}

static void *draw_pictures(void *user)
{
    struct pictures *pictures = user;
    pthread_mutex_lock(&pictures->mutex);
    while (!pictures->ending) {
        const int lane = pictures->waiting[FOREGROUND] ? FOREGROUND : BACKGROUND;
        struct asked *asked = pictures->waiting[lane];
        if (!asked) {
            pthread_cond_wait(&pictures->asked, &pictures->mutex);
            continue;
        }
        pictures->waiting[lane] = NULL;
        pthread_mutex_unlock(&pictures->mutex);
        const enum status status = draw(pictures, asked->wish, asked->answer);
        if (status != STATUS_OK)
            fail(asked->answer, status);
        pthread_mutex_lock(&pictures->mutex);
        asked->done = true;
        pthread_cond_broadcast(&pictures->answered);
    }
    pthread_mutex_unlock(&pictures->mutex);
    for (int i = 0; i < SIGHTS; i++)
        close_sight(pictures, &pictures->sights[i]);
    return NULL;
}

/* ---- asking ---- */

static void dismiss(struct pictures *pictures, int lane, int how)
{
    struct asked *asked = pictures->waiting[lane];
    if (!asked)
        return;
    asked->answer->how = how;
    asked->done = true;
    pictures->waiting[lane] = NULL;
    pthread_cond_broadcast(&pictures->answered);
}

void pictures_ask(struct pictures *pictures, const struct wish *wish, struct answer *answer)
{
    const int lane = wish->background ? BACKGROUND : FOREGROUND;
    struct asked asked = {.wish = wish, .answer = answer};
    *answer = (struct answer){.how = ANSWER_DRAWN};
    pthread_mutex_lock(&pictures->mutex);
    if (pictures->ending) {
        answer->how = ANSWER_ENDING;
    } else {
        dismiss(pictures, lane, ANSWER_REPLACED);
        pictures->waiting[lane] = &asked;
        pthread_cond_signal(&pictures->asked);
        while (!asked.done)
            pthread_cond_wait(&pictures->answered, &pictures->mutex);
    }
    pthread_mutex_unlock(&pictures->mutex);
}

char *pictures_story(struct pictures *pictures, uint64_t *serial)
{
    pthread_mutex_lock(&pictures->mutex);
    char *story = pictures->story ? memory_text(pictures->story) : NULL;
    *serial = pictures->story_serial;
    pthread_mutex_unlock(&pictures->mutex);
    return story;
}

/* ---- open and close ---- */

enum status pictures_open(struct pictures **out, const struct view_source *source,
                          struct motion *motion)
{
    struct pictures *pictures = *out = memory_new(1, sizeof *pictures);
    pictures->source = source;
    pictures->motion = motion;
    pthread_mutex_init(&pictures->mutex, NULL);
    pthread_cond_init(&pictures->asked, NULL);
    pthread_cond_init(&pictures->answered, NULL);
    const enum status status = plans_open(&pictures->plans, source);
    const int error =
        status == STATUS_OK ? pthread_create(&pictures->thread, NULL, draw_pictures, pictures) : 0;
    if (status == STATUS_OK && error == 0)
        return STATUS_OK;
    plans_close(&pictures->plans);
    free(pictures);
    *out = NULL;
    return status != STATUS_OK
               ? status
               : status_fail(STATUS_RUNTIME, "cannot start the thread that draws: %s",
                             strerror(error));
}

void pictures_end(struct pictures *pictures)
{
    pthread_mutex_lock(&pictures->mutex);
    pictures->ending = true;
    plans_end(pictures->plans);
    for (int lane = 0; lane < LANES; lane++)
        dismiss(pictures, lane, ANSWER_ENDING);
    pthread_cond_signal(&pictures->asked);
    pthread_mutex_unlock(&pictures->mutex);
}

void pictures_close(struct pictures **pictures)
{
    struct pictures *self = *pictures;
    if (!self)
        return;
    pictures_end(self);
    pthread_join(self->thread, NULL);
    plans_close(&self->plans);
    pthread_cond_destroy(&self->answered);
    pthread_cond_destroy(&self->asked);
    pthread_mutex_destroy(&self->mutex);
    free(self->story);
    free(self);
    *pictures = NULL;
}
