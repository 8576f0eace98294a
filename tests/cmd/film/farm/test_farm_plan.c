/* The division of a film into ranges, the useful number of them, resources, and job files. */
#include "tests/support/test.h"

#include "cmd/film/farm/engines.h"
#include "cmd/film/farm/tasks.h"
#include "tests/support/files/folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

TEST(ranges_begin_with_segments_and_cover_the_film)
{
    for (uint64_t frames = 1; frames < 200; frames += 7)
        for (uint64_t segment = 1; segment < 40; segment += 5)
            for (uint64_t tasks = 1; tasks <= (frames + segment - 1) / segment; tasks++) {
                uint64_t next = 0;
                for (uint64_t i = 0; i < tasks; i++) {
                    const struct farm_range range = farm_range(frames, segment, tasks, i);
                    assert_int_equal(range.first, next);
                    assert_int_equal(range.first % segment, 0);
                    assert_true(range.last >= range.first);
                    next = range.last + 1;
                }
                assert_int_equal(next, frames);
            }
}

TEST(drawing_that_dominates_is_shared)
{
    const struct farm_cost cost = {.simulate = 10, .whole = 1010, .start = 0};
    assert_float_equal(farm_seconds(&cost, 1), 1010, 1e-9);
    assert_float_equal(farm_seconds(&cost, 10), 9 + 101, 1e-9);
    assert_int_equal(farm_useful(&cost, 10), 10);
    assert_true(farm_useful(&cost, 10000) > 100);
}

TEST(a_simulation_that_dominates_is_not)
{
    const struct farm_cost cost = {.simulate = 100, .whole = 100, .start = 1};
    assert_int_equal(farm_useful(&cost, 100), 1);
}

TEST(starts_limit_the_tasks)
{
    const struct farm_cost cost = {.simulate = 10, .whole = 110, .start = 4};
    const size_t useful = farm_useful(&cost, 1000);
    assert_true(useful >= 3 && useful <= 5); /* the least time is that of sqrt(100 / 4) tasks */
    assert_true(farm_seconds(&cost, 1000) > farm_seconds(&cost, useful));
    /* n tasks take n + 100 / n: the first with less than 1.05 times the least, which is 20 */
    assert_int_equal(farm_useful(&(struct farm_cost){.whole = 100, .start = 1}, 1000), 8);
    /* a chain that takes longer than the film is what the last task waits for */
    const struct farm_cost chain = {.simulate = 120, .whole = 100};
    assert_float_equal(farm_seconds(&chain, 2), 60 + 60, 1e-9);
}

/* Memory is rounded up to 256 MiB, what was asked for to 1 MiB. */
TEST(resources_are_enough)
{
    static const struct {
        double need;
        uint64_t asked, mebibytes;
    } cases[] = {{1 << 30, 0, 1024},        {(1 << 30) + 1, 0, 1280}, {1, 0, 256},
                 {0, 3 << 20, 3},           {0, (3 << 20) + 1, 4},    {1e9, 5 << 20, 5},
                 {1.5 * (1 << 30), 0, 1536}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct farm_need need = {.memory = cases[i].need, .minutes = 12};
        const struct farm_request request = {.output = "a/film.mp4", .memory = cases[i].asked};
        struct farm_plan plan;
        farm_plan_start(&plan, &request, 2, &need);
        assert_int_equal(plan.mebibytes, cases[i].mebibytes);
        assert_int_equal(plan.minutes, 12);
        assert_true(plan.cpus > 0 && plan.gpus == 0);
        assert_string_equal(plan.name, "film");
        assert_string_equal(plan.folder, "a/film.mp4.farm");
        farm_plan_free(&plan);
    }
}

/* A GPU for each task of a cluster that needs one; the tasks of one machine share its GPUs. */
TEST(devices_are_shared)
{
    const struct farm_need need = {.device = true};
    struct farm_request request = {.output = "film.mp4", .backend = "auto"};
    struct farm_plan plan;
    for (int here = 0; here < 2; here++)
        for (unsigned gpus = 0; gpus < 3; gpus++) {
            request.one_machine = here;
            request.gpus = gpus;
            farm_plan_start(&plan, &request, 1, &need);
            assert_int_equal(plan.gpus, gpus ? gpus : !here);
            farm_plan_free(&plan);
        }
    static const struct {
        bool one_machine;
        unsigned gpus;
        const char *backend, *options[4];
    } cases[] = {
        {true, 3, "auto", {" --device 0", " --device 1", " --device 2", " --device 0"}},
        {true,
         2,
         "cuda",
         {" --backend cuda --device 0", " --backend cuda --device 1", " --backend cuda --device 0",
          " --backend cuda --device 1"}},
        {true, 0, "auto", {"", "", "", ""}},
        {false, 2, "auto", {"", "", "", ""}},
        {false, 2, "cpu", {" --backend cpu", " --backend cpu", " --backend cpu", " --backend cpu"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t task = 0; task < 4; task++) {
            request = (struct farm_request){.one_machine = cases[i].one_machine,
                                            .gpus = cases[i].gpus,
                                            .backend = cases[i].backend};
            char *options = farm_device_options(&request, task);
            assert_string_equal(options, cases[i].options[task]);
            free(options);
        }
}

static char *copy_of(const char *text)
{
    char *copy = strdup(text);
    assert_non_null(copy);
    return copy;
}

/* A line is left out if a place in it, the first or another, has no value. */
TEST(lines_without_values_are_left_out)
{
    const struct farm_place places[] = {
        {"name", copy_of("film")}, {"none", NULL}, {"n", copy_of("4")}};
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    farm_template_write(file, "a {{name}} {{n}}{{n}}\n{{none}}b\n{{n}} {{none}}\n{{other}} {{n}}",
                        places, 3);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(text, "a film 44\n{{other}} 4");
    free(text);
}

/* In the names of logs sbatch expands percent signs. */
TEST(names_of_logs_keep_percent_signs)
{
    const struct farm_need need = {.memory = 1 << 20, .minutes = 10};
    const struct farm_request request = {.output = "5%0$.mp4", .backend = "auto"};
    struct farm_plan plan;
    farm_plan_start(&plan, &request, 1, &need);
    plan.draw[0] = copy_of("draw");
    plan.finish = copy_of("finish");
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    const struct farm_engine *slurm = choice_find(&farm_engine_registry, "slurm");
    slurm->write(file, &plan);
    assert_int_equal(fclose(file), 0);
    assert_non_null(strstr(text, "5%%0$.mp4.farm/%x-%A-%a.log"));
    assert_non_null(strstr(text, "--mem=256M --time=10"));
    assert_null(strstr(text, "--gres"));
    assert_null(strstr(text, "SBATCH_PARTITION"));
    free(text);
    farm_plan_free(&plan);
}

TEST(folders_mean_their_scenes)
{
    static const char *const names[] = {"b.yaml", "a.yml", ".hidden.yaml", "c.txt", "yaml"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        FILE *file = fopen(folder_path(names[i]), "w");
        assert_true(file && fclose(file) == 0);
    }
    assert_int_equal(mkdir(folder_path("d.yaml"), 0700), 0);
    const char *const given[] = {"default.yaml", folder_name()};
    struct farm_scenes scenes;
    assert_ok(farm_scenes_find(&scenes, given, 2));
    assert_true(scenes.folder && scenes.count == 3);
    assert_string_equal(scenes.paths[0], "default.yaml");
    assert_string_equal(scenes.paths[1], folder_path("a.yml"));
    assert_string_equal(scenes.paths[2], folder_path("b.yaml"));
    farm_scenes_free(&scenes);
}

TESTS(folder_set_up, folder_tear_down)
