/* The claims of docs/sameness.md: pictures for every number of threads and every vector width of
 * llvmpipe, motion for every number of threads and, with the force exact, every kernel. */
#include "tests/support/test.h"

#include "kernels/isa.h"
#include "tests/support/programs/cli.h"
#include "tests/support/forces/mode_checks.h"
#include "tests/support/films/sink_fixture.h"

#include <string.h>

#define SMALL "plummer", "-n", "400", "--size", "160x90", "--frames", "2", "-y"

static const char *const looks[] = {"look.mode=sprites",     "look.mode=points",
                                    "look.mode=activity",    "look.color=density",
                                    "look.profile=gaussian", "look.samples=4"};
enum { LOOKS = sizeof looks / sizeof *looks };

static bool is_llvmpipe(void)
{
    return strstr(cli(0, "doctor")->out, "llvmpipe") != NULL;
}

/* Renders all films again with the setting; their pictures must be those of the first time. */
static void assert_same_pictures(const char *setting)
{
    for (int i = 0; i < LOOKS; i++) {
        char name[32], again[32];
        snprintf(name, sizeof name, "look-%d.hash", i);
        snprintf(again, sizeof again, "again-%d.hash", i);
        if (!cli_exists(name))
            cli(0, "render", SMALL, "--set", looks[i], "-o", name);
        cli_with((setting), 0, "render", SMALL, "--set", looks[i], "-o", again);
        if (!fixture_same_files(cli_path(name), cli_path(again)))
            fail_msg("%s: other pictures with %s", looks[i], setting);
    }
}

TEST(pictures_are_the_same_for_every_number_of_threads)
{
    cli_need_gl();
    assert_same_pictures("LP_NUM_THREADS=0");
    assert_same_pictures("LP_NUM_THREADS=3");
}

static void need_llvmpipe(void)
{
    cli_need_gl();
    if (!is_llvmpipe())
        outcome_skip(MISSING_GL, "drawn by another renderer than llvmpipe");
}

TEST(pictures_are_the_same_for_every_vector_width)
{
    need_llvmpipe();
    assert_same_pictures("LP_NATIVE_VECTOR_WIDTH=128");
    assert_same_pictures("LP_NATIVE_VECTOR_WIDTH=256");
    assert_same_pictures("LP_NATIVE_VECTOR_WIDTH=512");
}

/* A manifest's platform differs wherever bits might. */
TEST(the_width_is_in_the_renderer_s_name)
{
    need_llvmpipe();
    const struct run *run = cli_with(("LP_NATIVE_VECTOR_WIDTH=128"), 0, "render", SMALL,
                                     "--manifest", "width.json", "-o", "width.mp4");
    assert_non_null(run);
    char *manifest = cli_read("width.json");
    assert_contains(manifest, "llvmpipe-128");
    free(manifest);
}

static uint64_t motion_hash(const char *kernel, const char *force, int threads)
{
    force_cpu_use_threads(threads);
    const uint64_t hash = state_hash("cpu", kernel, force, 1, 700, 3);
    force_cpu_use_threads(0);
    return hash;
}

TEST(threads_never_matter_and_kernels_only_without_exact)
{
    static const char *const forces[] = {"fast", "exact", "double"};
    const char *kernels[3] = {ISA_LEAST};
    int count = 1;
#if defined(__x86_64__)
    if (cpu_has_avx2())
        kernels[count++] = "avx2";
    if (cpu_has_avx512())
        kernels[count++] = "avx512";
#endif
    for (size_t f = 0; f < sizeof forces / sizeof *forces; f++) {
        const uint64_t first = motion_hash(kernels[0], forces[f], 1);
        for (int k = 0; k < count; k++) {
            const uint64_t hash = motion_hash(kernels[k], forces[f], 1);
            assert_true(hash == motion_hash(kernels[k], forces[f], 3));
            assert_true(k == 0 || (hash == first) == (strcmp(forces[f], "exact") == 0));
        }
    }
}

TESTS(cli_set_up, cli_tear_down)
