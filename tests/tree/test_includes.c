/* The rules of data flow, read from the #include lines of the tree: which folder may include which,
 * where a third-party library may be named, and that none reaches another folder through a header.
 */
#include "tests/support/test.h"

#include "base/file.h"
#include "tests/support/sink_fixture.h"

#include <fnmatch.h>
#include <ftw.h>
#include <string.h>

enum { FILES_MAX = 2048, INCLUDES_MAX = 64, NAME_MAX_ = 128 };

struct source {
    char name[NAME_MAX_]; /* "render/sink/sink.c" */
    int own_count, other_count;
    char own[INCLUDES_MAX][NAME_MAX_], other[INCLUDES_MAX][NAME_MAX_];
};

static struct {
    size_t root_length;
    int count;
    struct source files[FILES_MAX];
} tree;

static char violations[1 << 14];

/* `from` may include `to`; both are fnmatch patterns of whole names. */
static const struct rule {
    const char *from, *to;
} own_rules[] = {
    {"base/*", "base/*"},     {"kernels/*", "kernels/*"},   {"sim/*", "sim/*"},
    {"sim/*", "kernels/*"},   {"sim/*", "base/*"},          {"scenes/*", "scenes/*"},
    {"scenes/*", "base/*"},   {"scenes/*", "sim/params.h"}, {"scenes/*", "render/params.h"},
    {"render/*", "render/*"}, {"render/*", "base/*"},       {"render/*", "sim/view.h"},
    {"cmd/*", "cmd/*"},       {"cmd/*", "scenes/*"},        {"cmd/*", "render/*"},
    {"cmd/*", "sim/*"},       {"cmd/*", "base/*"},          {"cmd/bench*", "kernels/*"},
};

/* A header of a library that is not listed here belongs to the C library or the compiler. */
static const struct rule library_rules[] = {
    {"render/sink*", "libav*/*"},
    {"render/video/codecs.c", "libav*/*"},
    {"render/film_*", "libav*/*"},
    {"render/join*", "libav*/*"},
    {"render/sink*", "libsw*/*"},
    {"render/sink_png*", "png.h"},
    {"render/*", "epoxy/*"},
    {"render/*", "cglm/*"},
    {"render/sink*", "xxhash.h"},
    {"scenes/*.c", "xxhash.h"},
    {"base/hash.c", "xxhash.h"},
    {"scenes/*.c", "cyaml/*"},
    {"scenes/*.c", "yaml.h"},
    {"sim/*.c", "zlib.h"},
    {"render/picture/png_file.c", "zlib.h"},
    {"sim/solver_cuda*", "cuda*"},
    {"render/gl/transfer_cuda.c", "cuda*"},
    {"kernels/*.cu*", "cuda*"},
    {"kernels/*.cu*", "cooperative_groups*"},
    {"sim/checkpoint/store.c", "hdf5*"},
    {"render/overlay/ink.c", "cairo*"},
    {"cmd/bench_plot*", "cairo*"},
    {"cmd/bench/device_cuda.c", "cuda*"},
    {"cmd/*.c", "jansson.h"},
    {"kernels/*.cu*", "mma.h"},
};

static const char *const libraries[] = {
    "libav*",  "libsw*", "png.h",  "epoxy/*", "EGL/*", "GL/*",   "cglm/*",   "xxhash*",
    "cyaml/*", "yaml.h", "zlib.h", "cuda*",   "hdf5*", "cairo*", "jansson*", "cooperative_groups*",
    "mma.h"};

static bool allowed(const struct rule *rules, size_t count, const char *from, const char *to)
{
    for (size_t i = 0; i < count; i++)
        if (fnmatch(rules[i].from, from, 0) == 0 && fnmatch(rules[i].to, to, 0) == 0)
            return true;
    return false;
}

static bool is_library(const char *header)
{
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
        if (fnmatch(libraries[i], header, 0) == 0)
            return true;
    return false;
}

static void blame(const char *from, const char *to, const char *why)
{
    size_t used = strlen(violations);
    snprintf(violations + used, sizeof violations - used, "%s includes %s: %s\n", from, to, why);
}

static void read_line(struct source *source, const char *line)
{
    char mark, name[NAME_MAX_], end;
    if (sscanf(line, " # include %c%120[^\">\n]%c", &mark, name, &end) != 3)
        return;
    if (mark == '"') {
        assert_true(source->own_count < INCLUDES_MAX);
        snprintf(source->own[source->own_count++], NAME_MAX_, "%s", name);
    } else if (mark == '<') {
        assert_true(source->other_count < INCLUDES_MAX);
        snprintf(source->other[source->other_count++], NAME_MAX_, "%s", name);
    }
}

static int read_one(const char *path, const struct stat *found, int kind, struct FTW *where)
{
    (void)found;
    (void)where;
    const char *extension = strrchr(path, '.');
    static const char *const ours[] = {".c", ".h", ".cu", ".cuh"};
    bool wanted = false;
    for (size_t i = 0; extension && kind == FTW_F && i < sizeof ours / sizeof ours[0]; i++)
        wanted |= strcmp(extension, ours[i]) == 0;
    if (!wanted)
        return 0;
    assert_true(tree.count < FILES_MAX);
    struct source *source = &tree.files[tree.count++];
    *source = (struct source){0};
    snprintf(source->name, sizeof source->name, "%s", path + tree.root_length);
    char *text, *rest;
    assert_ok(file_read(path, (size_t)1 << 26, &text, NULL));
    rest = text;
    for (char *line; (line = strsep(&rest, "\n"));)
        read_line(source, line);
    free(text);
    return 0;
}

static const struct source *find_source(const char *name)
{
    for (int i = 0; i < tree.count; i++)
        if (strcmp(tree.files[i].name, name) == 0)
            return &tree.files[i];
    return NULL;
}

static bool same_folder(const char *a, const char *b)
{
    size_t length = strcspn(a, "/") + 1;
    return strncmp(a, b, length) == 0;
}

/* A library that `header`, or what it includes in turn, brings along; NULL when none. */
static const char *brought_by(const char *header, int depth)
{
    const struct source *source = find_source(header);
    const char *found = NULL;
    for (int i = 0; source && !found && i < source->other_count; i++)
        found = is_library(source->other[i]) ? source->other[i] : NULL;
    for (int i = 0; source && !found && depth < 16 && i < source->own_count; i++)
        found = brought_by(source->own[i], depth + 1);
    return found;
}

static void check_source(const struct source *source)
{
    for (int i = 0; i < source->own_count; i++) {
        const char *header = source->own[i];
        if (!find_source(header))
            blame(source->name, header, "there is no such file; names begin at the tree's root");
        else if (!allowed(own_rules, sizeof own_rules / sizeof own_rules[0], source->name, header))
            blame(source->name, header, "data does not flow this way");
        else if (!same_folder(source->name, header) && brought_by(header, 0))
            blame(source->name, header, "a third-party library comes with it");
    }
    for (int i = 0; i < source->other_count; i++)
        if (is_library(source->other[i]) &&
            !allowed(library_rules, sizeof library_rules / sizeof library_rules[0], source->name,
                     source->other[i]))
            blame(source->name, source->other[i], "the library does not belong here");
}

/* Number of files looked at. */
static int check_tree(const char *root)
{
    static const char *const folders[] = {"base", "kernels", "sim", "scenes", "render", "cmd"};
    tree.count = 0;
    tree.root_length = strlen(root) + 1;
    violations[0] = '\0';
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", root, folders[i]);
        nftw(path, read_one, 16, FTW_PHYS);
    }
    for (int i = 0; i < tree.count; i++)
        check_source(&tree.files[i]);
    return tree.count;
}

static void the_tree_keeps_the_rules(void **state)
{
    (void)state;
    const char *root = getenv("GRAVREEL_TEST_SOURCE");
    if (!root) {
        print_message("skipped: GRAVREEL_TEST_SOURCE does not name the source tree\n");
        skip();
    }
    assert_true(check_tree(root) > 80);
    assert_non_null(find_source("cmd/main.c"));
    assert_true(find_source("cmd/main.c")->own_count >= 2);
    if (violations[0])
        fail_msg("%s", violations);
}

static void plant(const char *folder, const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *parent = file_folder(path);
    assert_ok(file_make_folder(parent));
    assert_ok(file_write(path, text, strlen(text)));
    free(parent);
}

static void violations_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *found;
    } planted[] = {
        {"base/a.c", "#include \"sim/view.h\"\n", "base/a.c includes sim/view.h: data"},
        {"kernels/a.cu", "#include \"base/log.h\"\n", "kernels/a.cu includes base/log.h: data"},
        {"sim/a.c", "#include \"render/picture/picture.h\"\n", "sim/a.c includes render/picture/picture.h: data"},
        {"render/a.c", "  #  include \"sim/bodies/bodies.h\"\n", "render/a.c includes sim/bodies/bodies.h: data"},
        {"scenes/a.c", "#include \"sim/bodies/bodies.h\"\n", "scenes/a.c includes sim/bodies/bodies.h: data"},
        {"cmd/a.c", "#include \"kernels/force.h\"\n", "cmd/a.c includes kernels/force.h: data"},
        {"sim/b.c", "#include <libavutil/log.h>\n", "sim/b.c includes libavutil/log.h: the lib"},
        {"cmd/b.c", "#include <epoxy/gl.h>\n", "cmd/b.c includes epoxy/gl.h: the lib"},
        {"sim/c.c", "#include <cuda_runtime_api.h>\n", "sim/c.c includes cuda_runtime_api.h"},
        {"render/overlay/overlay.c", "#include <cairo.h>\n", "render/overlay/overlay.c includes cairo.h: the lib"},
        {"cmd/c.c", "#include \"render/b.h\"\n", "cmd/c.c includes render/b.h: a third-party"},
        {"render/b.c", "#include \"nowhere.h\"\n", "render/b.c includes nowhere.h: there is no"},
        {"render/overlay/ink.c", "#include <cairo-ft.h>\n", NULL},
        {"cmd/bench.c", "#include \"kernels/force.h\"\n", NULL},
        {"render/c.c", "#include \"sim/view.h\"\n#include <epoxy/gl.h>\n", NULL},
        {"sim/d.c", "#include <math.h>\n#include \"sim/bodies/bodies.h\"\n", NULL},
        {"render/b.h", "#include \"render/c.h\"\n", NULL},
        {"render/c.h", "#include <epoxy/gl.h>\n", NULL},
        {"base/log.h", "", NULL},
        {"sim/view.h", "", NULL},
        {"sim/bodies/bodies.h", "", NULL},
        {"render/picture/picture.h", "", NULL},
        {"kernels/force.h", "", NULL},
    };
    enum { COUNT = sizeof planted / sizeof planted[0] };
    char *folder = fixture_folder();
    int wanted = 0, found = 0;
    for (int i = 0; i < COUNT; i++)
        plant(folder, planted[i].name, planted[i].text);
    assert_int_equal(check_tree(folder), COUNT);
    for (int i = 0; i < COUNT; i++) {
        wanted += planted[i].found != NULL;
        if (planted[i].found && !strstr(violations, planted[i].found))
            fail_msg("not found: %s\n%s", planted[i].found, violations);
    }
    for (const char *at = violations; *at; at++)
        found += *at == '\n';
    assert_int_equal(found, wanted);
    fixture_remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_keeps_the_rules),
        cmocka_unit_test(violations_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
