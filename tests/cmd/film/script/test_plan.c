/* A film's plan as a file: it reads back to the bit, and only as what it is. */
#include "tests/support/files/folder.h"
#include "tests/support/test.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "cmd/film/job/plan_file.h"
#include "cmd/film/manifest/manifest.h"
#include "render/sprites/modes.h"
#include "scenes/print.h"

#include <stdlib.h>
#include <string.h>

/* A scene of three frames with a keyframe list, moves and a caption is asked for by its counts. */
static struct scene *scene_made(const char *frames)
{
    struct scene *scene;
    assert_ok(scene_open(&scene, "milky-way-andromeda"));
    scene_set(scene, "output.frames", frames, "a test");
    return scene;
}

enum { FRAMES = 3 };
#define START "0123456789abcdef0123456789abcdef"

static double odd_number(int i)
{
    return (i % 2 ? -1 : 1) * (1.0 + i) / 3 * 1e-7;
}

/* Every number is another one, so that none is taken for its neighbour. */
static void fill(const struct scene *scene, struct script *script, struct renderer_params *params,
                 struct camera_part *parts)
{
    int n = 0;
    *script = (struct script){
        .clock = {.dt = 0.1,
                  .steps_per_frame = 3,
                  .slow_count = 1,
                  .slow = {{0.3, 2, 0.7}},
                  .freezes = true,
                  .freeze_frame = UINT64_C(1) << 40},
        .duration = odd_number(n++),
        .passage = -1,
        .story = odd_number(n++),
        .story_frames = 17,
        .counts_from_event = true,
        .event = odd_number(n++),
        .captions_moved = 2,
        .caption_count = scene->overlay.caption_count,
    };
    script->captions = memory_new(scene->overlay.caption_count, sizeof *script->captions);
    for (uint32_t i = 0; i < scene->overlay.caption_count; i++, n += 2)
        script->captions[i] = (struct caption_found){odd_number(n), odd_number(n + 1),
                                                     i == 0 ? memory_text("6.4 kpc\napart") : NULL};
    script->labels = memory_new(scene->overlay.label_count, sizeof *script->labels);
    for (uint32_t i = 0; i < scene->overlay.label_count; i++, n += 2)
        script->labels[i] = (struct label_found){odd_number(n), odd_number(n + 1)};
    script->framing = memory_new(FRAMES, sizeof *script->framing);
    for (int f = 0; f < FRAMES; f++, n += 3)
        script->framing[f] =
            (struct camera_framing){odd_number(n), {odd_number(n + 1), odd_number(n + 2)}};
    double *look = (double *)&params->found.look;
    for (size_t i = 0; i < sizeof params->found.look / sizeof *look; i++)
        look[i] = odd_number(n++);
    params->found.light.times = 2;
    for (int t = 0; t < 2; t++) {
        params->found.light.frame[t] = odd_number(n++);
        for (int i = 0; i < FOUND_LIGHT_SIDE; i++)
            for (int k = 0; k < FOUND_LIGHT_SIDE; k++)
                params->found.light.cell[t][i][k] = (uint16_t)(n++ * 7919);
    }
    params->found.camera.distance = odd_number(n++);
    params->found.epoch = odd_number(n++);
    for (int i = 0; i < 2; i++)
        parts[i].radius = odd_number(n++);
    params->parts = parts;
    params->part_count = 2;
    params->look.size = &sizing_adaptive;
    params->look.stars = 5;
}

static char *text_made(const struct scene *scene)
{
    struct script script;
    struct renderer_params params = {0};
    struct camera_part parts[2] = {0};
    struct plan plan;
    char *text;
    fill(scene, &script, &params, parts);
    plan_describe(&plan, scene, START, &script, &params);
    assert_ok(plan_write(&plan, &text));
    plan_described_free(&plan);
    script_close(&script);
    return text;
}

TEST(reads_back_to_the_bit)
{
    struct scene *scene = scene_made("3");
    struct script script, read;
    struct renderer_params params = {0}, found = {0};
    struct camera_part parts[2] = {0}, others[2] = {0};
    struct plan plan;
    char *text = text_made(scene);
    fill(scene, &script, &params, parts);
    assert_ok(plan_read(&plan, text, scene));
    assert_ok(plan_check_start(&plan, START));
    assert_fails(plan_check_start(&plan, "fe"), STATUS_USAGE, "other bodies at the start");
    assert_string_equal(plan.program, GRAVREEL_VERSION);
    assert_true(plan.size == &sizing_adaptive && plan.stars == 5);
    found.parts = others;
    found.part_count = 2;
    plan_give(&plan, &found, others);
    plan_give_script(&plan, &read);
    assert_memory_equal(&found.found, &params.found, sizeof found.found);
    assert_memory_equal(&read.clock, &script.clock, sizeof read.clock);
    assert_memory_equal(read.framing, script.framing, FRAMES * sizeof *read.framing);
    assert_int_equal(read.caption_count, script.caption_count);
    for (uint32_t i = 0; i < script.caption_count; i++) {
        assert_true(read.captions[i].begins == script.captions[i].begins &&
                    read.captions[i].ends == script.captions[i].ends);
        assert_true(!read.captions[i].text == !script.captions[i].text);
    }
    assert_int_equal(scene->overlay.label_count, 1);
    assert_memory_equal(read.labels, script.labels, sizeof *read.labels);
    assert_string_equal(read.captions[0].text, script.captions[0].text);
    assert_true(read.counts_from_event && read.event == script.event && read.captions_moved == 2);
    assert_true(read.duration == script.duration && read.passage == script.passage &&
                read.story == script.story && read.story_frames == script.story_frames);
    assert_true(others[0].radius == parts[0].radius && others[1].radius == parts[1].radius);
    plan_free(&plan);
    script_close(&read);
    script_close(&script);
    free(text);
    scene_close(&scene);
}

TEST(only_as_what_it_is)
{
    struct scene *scene = scene_made("3"), *longer = scene_made("4");
    struct plan plan;
    char *text = text_made(scene);
    assert_fails(plan_read(&plan, text, longer), STATUS_USAGE, "another scene hash");
    plan_free(&plan);
    text[strlen(text) / 2] ^= 1;
    assert_fails(plan_read(&plan, text, scene), STATUS_IO, "checksum");
    plan_free(&plan);
    text[strlen(text) / 2] = '\0';
    assert_fails(plan_read(&plan, text, scene), STATUS_IO, "checksum");
    plan_free(&plan);
    free(text);

    /* sealed, of this scene, but with framing for another number of frames */
    struct script script;
    struct renderer_params params = {0};
    struct camera_part parts[2] = {0};
    fill(scene, &script, &params, parts);
    plan_describe(&plan, scene, START, &script, &params);
    plan.framings = 2;
    assert_ok(plan_write(&plan, &text));
    plan_described_free(&plan);
    script_close(&script);
    assert_fails(plan_read(&plan, text, scene), STATUS_IO, "moments");
    plan_free(&plan);
    free(text);
    scene_close(&scene);
    scene_close(&longer);
}

static enum status found(const struct scene *scene, char **text)
{
    return plan_find(&(struct plan_places){.checkpoints = folder_name()}, scene, text);
}

TEST(the_first_decides)
{
    struct scene *scene = scene_made("3"), *longer = scene_made("4");
    char *first = text_made(scene), *kept = memory_text(first), *text;
    assert_ok(found(scene, &text));
    assert_null(text);
    assert_ok(plan_publish(folder_name(), scene, &first));
    assert_string_equal(first, kept);

    struct script script;
    struct renderer_params params = {0};
    struct camera_part parts[2] = {0};
    struct plan plan;
    fill(scene, &script, &params, parts);
    script.duration = 12;
    plan_describe(&plan, scene, START, &script, &params);
    char *second;
    assert_ok(plan_write(&plan, &second));
    plan_described_free(&plan);
    script_close(&script);
    assert_string_not_equal(second, kept);
    assert_ok(plan_publish(folder_name(), scene, &second));
    assert_string_equal(second, kept);
    assert_ok(found(longer, &text));
    assert_null(text);

    /* a damaged one is replaced */
    log_set_level(LOG_ERROR);
    char name[PLAN_NAME];
    plan_shared_name(scene, name);
    assert_ok(file_write(folder_path(name), kept, strlen(kept) / 2));
    assert_ok(found(scene, &text));
    assert_null(text);
    assert_ok(plan_publish(folder_name(), scene, &second));
    assert_ok(found(scene, &text));
    assert_string_equal(text, kept);
    free(text);
    free(second);
    free(first);
    free(kept);
    scene_close(&scene);
    scene_close(&longer);
}

/* A plan of the scene that another run has made does not replace the one that a film was begun by.
 */
TEST(the_listed_one_counts)
{
    struct scene *scene = scene_made("3");
    char hash[17], *scene_text = scene_print(scene), *text = text_made(scene), *found;
    char *folder = memory_text(folder_path("f.mp4.parts"));
    char *path = memory_text(folder_path("f.mp4.parts/" PLAN_FILE));
    struct manifest *manifest;
    const struct plan_places places = {.work_folder = folder};
    scene_hash(scene, hash);
    const struct manifest_plan plan = {.program = "p",
                                       .scene = scene_text,
                                       .scene_hash = hash,
                                       .start = "",
                                       .codec = "c",
                                       .container = "mp4",
                                       .frames = 3,
                                       .last = 2,
                                       .segment_length = 3,
                                       .run = "",
                                       .run_place = "",
                                       .run_hash = ""};
    log_set_level(LOG_ERROR);
    assert_ok(plan_find(&places, scene, &found));
    assert_null(found);
    assert_ok(manifest_create(&manifest, folder, &plan));
    assert_ok(file_write(path, text, strlen(text)));
    assert_ok(manifest_list_plan(manifest, text));
    assert_ok(plan_find(&places, scene, &found));
    assert_string_equal(found, text);
    free(found);
    assert_ok(manifest_list_plan(manifest, "another"));
    assert_ok(plan_find(&places, scene, &found));
    assert_null(found);
    manifest_close(&manifest);
    free(path);
    free(folder);
    free(text);
    free(scene_text);
    scene_close(&scene);
}

TESTS(folder_set_up, folder_tear_down)
