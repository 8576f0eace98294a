#include "tests/support/test.h"

#include "tests/faults/faults.h"

#include "base/text.h"
#include "tests/support/films/segments.h"
#include "tests/support/films/sink_fixture.h"

#include <dirent.h>
#include <string.h>

const char *const *fault_words(const struct fault_film *film, const char *folder, const char *extra)
{
    static const char *words[FAULT_WORDS_MAX];
    static char output[4096];
    size_t count = 0;
    snprintf(output, sizeof output, "%s/%s", folder, film->output);
    words[count++] = "render";
    for (size_t i = 0; film->words[i]; i++)
        words[count++] = film->words[i];
    words[count++] = "-o";
    words[count++] = output;
    words[count++] = extra;
    words[count] = NULL;
    assert_true(count < FAULT_WORDS_MAX);
    return words;
}

const char *const *fault_environment(const char *fault)
{
    static char setting[128];
    static const char *changes[] = {
        setting, "LD_PRELOAD=" SHIM,
        "ASAN_OPTIONS=verify_asan_link_order=0:intercept_tls_get_addr=0", NULL};
    snprintf(setting, sizeof setting, "GRAVREEL_TEST_FAULT=%s", fault);
    return changes;
}

int fault_run(const struct fault_film *film, const char *folder, const char *fault,
              const char *extra, struct run *run)
{
    struct run own;
    const struct run_options options = {.folder = cli_folder,
                                        .environment = fault ? fault_environment(fault) : NULL};
    run_program(&own, &options, fault_words(film, folder, extra));
    assert_false(own.timed_out);
    const int code = own.code;
    if (run)
        *run = own;
    else
        run_free(&own);
    return code;
}

long fault_count(const struct fault_film *film, const char *folder)
{
    struct run run;
    fault_remove(folder);
    fault_remove("cut");
    const int code = fault_run(film, folder, "count 0", NULL, &run);
    const char *steps = strstr(run.err, "steps=");
    if (code != 0 || !steps)
        fail_msg("%s: ended with %d: %s", film->name, code, run.err);
    const long count = atol(steps + strlen("steps="));
    run_free(&run);
    return count;
}

static bool is_sequence(const struct fault_film *film)
{
    return strstr(film->output, ".png") != NULL;
}

static void same_file(const char *folder, const char *other, const char *name)
{
    char a[4096], b[4096];
    snprintf(a, sizeof a, "%s/%s/%s", cli_folder, folder, name);
    snprintf(b, sizeof b, "%s/%s/%s", cli_folder, other, name);
    if (!fixture_same_files(a, b))
        fail_msg("'%s' and '%s' differ", a, b);
}

static void same_pictures(const struct fault_film *film, const char *folder, const char *other)
{
    uint64_t hashes[2][FAULT_FRAMES_MAX];
    double times[2][FAULT_FRAMES_MAX];
    char path[4096];
    uint64_t frames[2];
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", cli_folder, i ? other : folder, film->output);
        frames[i] = segments_decode(path, hashes[i], times[i], FAULT_FRAMES_MAX);
    }
    assert_in_range(frames[1], 1, FAULT_FRAMES_MAX);
    if (frames[0] != frames[1])
        fail_msg("%s: %d frames instead of %d", film->name, (int)frames[0], (int)frames[1]);
    for (uint64_t f = 0; f < frames[0]; f++)
        if (hashes[0][f] != hashes[1][f] || times[0][f] != times[1][f])
            fail_msg("%s: frame %d differs", film->name, (int)f);
}

static size_t list(const char *folder, char ***names)
{
    struct dirent **entries;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", cli_folder, folder);
    const int found = scandir(path, &entries, NULL, alphasort);
    size_t count = 0;
    *names = calloc((size_t)(found > 0 ? found : 0) + 1, sizeof **names);
    assert_non_null(*names);
    for (int i = 0; i < found; i++) {
        if (entries[i]->d_name[0] != '.')
            (*names)[count++] = strdup(entries[i]->d_name);
        free(entries[i]);
    }
    if (found >= 0)
        free(entries);
    return count;
}

static void free_list(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

void fault_same(const struct fault_film *film, const char *folder, const char *other)
{
    char **names[2];
    const size_t count[2] = {list(folder, &names[0]), list(other, &names[1])};
    for (size_t i = 0; i < count[0] || i < count[1]; i++)
        if (i >= count[0] || i >= count[1] || strcmp(names[0][i], names[1][i]) != 0)
            fail_msg("%s: '%s' in '%s', '%s' in '%s'", film->name, i < count[0] ? names[0][i] : "",
                     folder, i < count[1] ? names[1][i] : "", other);
    for (size_t i = 0; i < count[0]; i++)
        if (is_sequence(film) || strcmp(names[0][i], film->output) != 0)
            same_file(folder, other, names[0][i]);
    if (!is_sequence(film))
        same_pictures(film, folder, other);
    assert_true(count[0] >= (film->csv ? 3 : 2));
    for (int i = 0; i < 2; i++)
        free_list(names[i], count[i]);
}

void fault_holds(const char *folder, const char *const *wanted)
{
    char **names;
    size_t count = list(folder, &names), known = 0;
    for (; wanted[known]; known++) {
        bool found = false;
        for (size_t i = 0; i < count; i++)
            found = found || strcmp(names[i], wanted[known]) == 0;
        if (!found)
            fail_msg("'%s' has no '%s'", folder, wanted[known]);
    }
    if (known != count)
        fail_msg("'%s' holds %zu files instead of %zu: %s, %s, ...", folder, count, known,
                 count > 0 ? names[0] : "", count > 1 ? names[1] : "");
    free_list(names, count);
}

void fault_remove(const char *folder)
{
    char *path = text_format("%s/%s", cli_folder, folder);
    assert_non_null(path);
    fixture_remove_folder(path); /* which frees it */
}

int fault_interrupt(const struct fault_film *film, const char *whole, const char *fault)
{
    struct run run;
    const int code = fault_run(film, "cut", fault, NULL, NULL);
    assert_true(code == 1000 + 9 || code == 130 || code == 0);
    if (fault_run(film, "cut", NULL, "--resume", &run) != 0)
        fail_msg("%s after '%s': ended with %d: %s", film->name, fault, run.code, run.err);
    run_free(&run);
    fault_same(film, "cut", whole);
    fault_remove("cut");
    return code;
}
