/* The rules for #include lines: which library may include which, that no files include each other
 * in a circle, where a third-party library may be named, and that none is visible to another
 * top-level folder through a header. */
#include "tests/support/test.h"

#include "base/file.h"
#include "tests/support/films/sink_fixture.h"

#include <fnmatch.h>
#include <ftw.h>
#include <string.h>

enum { FILES_MAX = 2048, INCLUDES_MAX = 64, NAME_MAX_ = 128 };

struct source {
    char name[NAME_MAX_]; /* "render/sink/sink.c" */
    int own_count, other_count;
    char own[INCLUDES_MAX][NAME_MAX_], other[INCLUDES_MAX][NAME_MAX_];
    enum { UNSEEN, ON_PATH, DONE } walk; /* by the search for circles; of the unit's first file */
};

static struct {
    size_t root_length;
    int count;
    struct source files[FILES_MAX];
} tree;

static char violations[1 << 14];

/* Files that decide for the whole film, on ranks for all of them. A rank's own number of bodies is
 * in a header that does not reach them, so that nothing can be decided by it. */
static const char *const deciding[] = {
    "cmd/film/script/script.c", "cmd/film/script/moments.c", "cmd/film/script/captions.c",
    "cmd/film/script/plan.c",   "cmd/film/script/film_camera.c", "cmd/film/script/reach.c",
};
static const char own_bodies[] = "sim/bodies/bodies.h";

/* Arrows between libraries: the files of `from` may include those of the libraries in `to`, which
 * end with a space each. A library may include itself, base and the headers of declarations. The
 * order is that of height: a library is above all that it may include. */
static const struct room {
    const char *name, *to;
} rooms[] = {
    {"base/functions", ""},
    {"base", "base/functions "},
    {"base/json", "base "},
    {"base/ranks", "base "},
    {"kernels", ""},
    {"kernels/pairs", "kernels "},
    {"kernels/pairs/cuda", "kernels "},
    {"kernels/steps", "kernels kernels/pairs/cuda "},
    {"kernels/tree", "kernels base/functions "},
    {"kernels/tree/cuda", "kernels kernels/tree "},
    {"kernels/tensor", "kernels kernels/tree/cuda "},
    {"kernels/exact_tree", "kernels "},
    {"kernels/exact_tree/cuda", "kernels kernels/exact_tree "},
    {"kernels/ladder", "kernels kernels/pairs "},

    {"sim/hdf5", ""},
    {"sim/bodies", ""},
    {"sim/run", "sim/playback sim/bodies sim/hdf5 "},
    {"sim/galaxy", ""},
    {"sim/orbit", "sim/galaxy "},
    {"sim/formats", "sim/bodies sim/hdf5 "},
    {"sim/playback", "sim/formats sim/bodies "},
    {"sim/models", "sim/playback sim/formats sim/galaxy sim/bodies sim/orbit "},
    {"sim/gravity", "sim/bodies kernels "},
    {"sim/gravity/pairs", "sim/gravity kernels kernels/pairs kernels/pairs/cuda "},
    {"sim/gravity/tensor", "sim/gravity sim/bodies kernels/pairs/cuda kernels/tensor "},
    {"sim/gravity/tree", "sim/gravity kernels kernels/tree kernels/tree/cuda "},
    {"sim/gravity/exact_tree", "sim/gravity sim/gravity/tree kernels kernels/exact_tree "
                               "kernels/exact_tree/cuda "},
    {"sim/gravity/auto",
     "sim/gravity sim/bodies sim/gravity/pairs sim/gravity/tensor sim/gravity/tree "},
    {"sim/solver", "sim/bodies sim/gravity sim/gravity/* kernels kernels/pairs "},
    {"sim/ranks",
     "sim/playback sim/run sim/solver sim/solver/cuda sim/bodies sim/gravity sim/gravity/* kernels "
     "kernels/exact_tree kernels/exact_tree/cuda kernels/pairs kernels/pairs/cuda "},
    {"sim/solver/cuda",
     "sim/solver sim/gravity sim/bodies kernels kernels/pairs/cuda kernels/steps "
     "kernels/tree/cuda "},
    {"sim/integrators", "sim/solver sim/gravity sim/bodies "},
    {"sim", "sim/playback sim/run sim/integrators sim/ranks sim/solver sim/gravity "
            "sim/gravity/tree sim/bodies "},
    {"sim/checkpoint", "sim sim/bodies sim/hdf5 "},
    {"sim/pilot", "sim sim/run sim/models sim/solver sim/gravity sim/gravity/* sim/bodies "},

    {"render/shaders", ""},
    {"render/picture", ""},
    {"render/compare", "render/picture "},
    {"render/gl", "render/picture "},
    {"render/colour", "render/gl render/picture "},
    {"render/camera", "render/picture "},
    {"render/density", "render/camera render/colour render/gl render/picture "},
    {"render/sprites", "render/density render/camera render/colour render/gl render/picture "},
    {"render/trails",
     "render/sprites render/density render/camera render/colour render/gl render/picture "},
    {"render/post", "render/camera render/gl render/picture "},
    {"render/sky", "render/camera render/colour render/gl render/picture "},
    {"render/panel", "render/trails render/sprites render/density render/sky render/post "
                     "render/camera render/colour render/gl "
                     "render/picture "},
    {"render/overlay",
     "render/sprites render/density render/camera render/colour render/gl render/picture "},
    {"render/sink", "render/picture "},
    {"render/video", "render/sink render/picture "},
    {"render/reader", "render/video render/sink render/picture "},
    {"render/inspect", "render/reader render/video render/sink render/picture "},
    {"render/join", "render/reader render/video render/sink render/picture "},
    {"render", "render/* "},

    {"scenes", ""},

    {"cmd/film/start", "scenes render render/* sim sim/* "},
    {"cmd/film/script", "cmd/film/start scenes render render/* sim sim/* "},
    {"cmd/film", "cmd/film/script cmd/film/start scenes render render/* sim sim/* "},
    {"cmd/film/scene", "cmd/film cmd/film/start scenes render render/* sim sim/* "},
    {"cmd/film/pipeline", "scenes render render/* sim sim/* "},
    {"cmd/film/manifest", "scenes "},
    {"cmd/film/job",
     "cmd/film/manifest cmd/film/pipeline cmd/film/scene cmd/film cmd/film/script cmd/film/start "
     "scenes render render/* sim sim/* "},
    {"cmd/film/forecast",
     "cmd/film/job cmd/film/pipeline cmd/film cmd/film/start scenes render render/* sim sim/* "},
    {"cmd/film/farm",
     "cmd/film/forecast cmd/film/job cmd/film/scene cmd/film cmd/film/start scenes "
     "render render/* sim sim/* "},
    {"cmd/film/stills", "cmd/film scenes render render/* sim sim/* "},
    {"cmd/view",
     "cmd/film/run cmd/film/scene cmd/film cmd/film/start scenes render render/* sim sim/* "},
    {"cmd/film/turn", "cmd/film/pipeline cmd/film cmd/film/script cmd/film/start scenes render "
                      "render/* sim sim/* "},
    {"cmd/film/points",
     "cmd/film/pipeline cmd/film cmd/film/start scenes render render/* sim sim/* "},
    {"cmd/film/join", "cmd/film/scene cmd/film scenes render render/* "},
    {"cmd/library", ""},
    {"cmd/film/snapshots", "scenes sim sim/* "},
    {"cmd/film/run", "cmd/film/manifest cmd/film/scene cmd/film cmd/film/script cmd/film/start "
                     "scenes render render/* sim sim/* "},

    {"cmd/regression/record",
     "cmd/film/job cmd/film/pipeline cmd/film cmd/film/start scenes render render/* sim sim/* "},
    {"cmd/regression/judge", "cmd/regression/record scenes render render/* sim "},
    {"cmd/regression/exhibit", "cmd/regression/judge render render/* "},
    {"cmd/regression/report", "cmd/regression/judge "},
    {"cmd/regression/compare",
     "cmd/regression/exhibit cmd/regression/judge cmd/regression/record cmd/film scenes "
     "render render/* "},
    {"cmd/regression/verify",
     "cmd/regression/judge cmd/regression/record cmd/film/stills cmd/film/job cmd/film/scene "
     "cmd/film scenes render render/* sim sim/* "},
    {"cmd/regression/baseline",
     "cmd/regression/exhibit cmd/regression/report cmd/regression/judge cmd/regression/record "
     "cmd/film/job cmd/film/scene cmd/film cmd/film/start scenes render "
     "render/* sim sim/* "},

    {"cmd/bench", "cmd/film cmd/film/pipeline scenes render render/* sim sim/* kernels "
                  "kernels/* "},
    {"cmd/bench/suites",
     "cmd/bench cmd/film cmd/film/pipeline scenes render render/* sim sim/* kernels kernels/* "},

    {"cmd/cli/help", ""},
    {"cmd/cli",
     "cmd/cli/help cmd/film/forecast cmd/film/job cmd/film/pipeline cmd/film/scene cmd/film "
     "cmd/film/start scenes render render/* sim sim/* "},
    {"cmd", "cmd/* scenes render render/* sim sim/* "},
};

/* The subfolders of cmd, and the others that the files of each may include, whatever the rows above
 * say. "cmd" stands for the commands: the files of the folder itself. Shared code is below the
 * subfolders. */
static const struct room wings[] = {
    {"cmd/film", ""},           {"cmd/regression", "cmd/film "},
    {"cmd/bench", "cmd/film "}, {"cmd/cli", "cmd/film "},
    {"cmd/view", "cmd/film "},  {"cmd/library", ""},
    {"cmd", "cmd/film cmd/regression cmd/bench cmd/cli cmd/view "},
};

/* Headers of declarations, without a .c beside them, that every library of their folder may
 * include, and some other libraries. */
static const struct rule {
    const char *from, *to; /* fnmatch patterns of whole names */
} vocabulary[] = {
    {"sim/*", "base/*"},
    {"scenes/*", "base/*"},
    {"render/*", "base/*"},
    {"cmd/*", "base/*"},
    {"sim/*", "sim/params.h"},
    {"sim/*", "sim/view.h"},
    {"render/*", "render/params.h"},
    {"render/*", "render/shaders/*"},
    {"render/*", "render/draw.h"},
    {"render/*", "render/found.h"},
    {"render/*", "render/picture/format.h"},
    {"render/*", "sim/view.h"},
    {"scenes/*", "sim/params.h"},
    {"scenes/*", "render/params.h"},
};

/* The files that may include a header of a library; a header that `platform` does not list belongs
 * to one. */
static const struct rule library_rules[] = {
    {"render/video/*", "libav*/*"},
    {"render/reader/*", "libav*/*"},
    {"render/inspect/*", "libav*/*"},
    {"render/join/*", "libav*/*"},
    {"render/picture/png_pdf.c", "cairo*"},
    {"render/picture/png_pdf.c", "png.h"},
    {"render/picture/png_pdf.c", "zlib.h"},
    {"render/picture/jpeg.c", "jpeglib.h"},
    {"render/video/exr.c", "OpenEXR/openexr.h"},
    {"render/video/jxl.c", "jxl/*"},
    {"render/video/tif.c", "zlib.h"},
    {"render/*", "epoxy/*"},
    {"render/overlay/ink.c", "cairo*"},
    {"render/overlay/ink.c", "pango/*"},
    {"base/hash.c", "xxhash.h"},
    {"base/json/*", "jansson.h"},
    {"base/ranks/mpi.c", "mpi.h"},
    {"scenes/*.c", "xxhash.h"},
    {"scenes/*.c", "yaml.h"},
    {"sim/formats/bytes.c", "zlib.h"},
    {"sim/formats/bytes.c", "lzma.h"},
    {"sim/formats/zip.c", "zlib.h"},
    {"sim/formats/bytes.c", "zstd.h"},
    {"base/random.c", "Random123/*"},
    {"sim/hdf5/store.c", "hdf5*"},
    {"sim/hdf5/server.c", "hdf5*"},
    {"sim/solver/cuda/*", "cuda*"},
    {"sim/ranks/rank_device.c", "cuda*"},
    {"sim/ranks/stretch_cuda.c", "cuda*"},
    {"sim/gravity/*/*_cuda.c", "cuda*"},
    {"render/gl/transfer_cuda.c", "cuda*"},
    {"kernels/*.cu*", "cuda*"},
    {"kernels/*/cuda/build.cu", "cub/*"},
    {"kernels/exact_tree/cuda/travel.cu", "cub/*"},
    {"kernels/exact_tree/cuda/stretch.cu", "cub/*"},
    {"cmd/bench/device_cuda.c", "cuda*"},
    {"cmd/regression/baseline/objects.c", "zlib.h"},
    {"cmd/view/view_server.c", "microhttpd.h"},
    {"cmd/film/turn/page.c", "zlib.h"},
};

/* What comes with the C compiler, the C library and the kernel: C17, POSIX, GNU and Linux, vector
 * instructions, OpenMP. Every other header in angle brackets belongs to a library. */
static const char *const platform[] = {
    "argp.h", "arm_neon.h", "arpa/*.h", "ctype.h", "dirent.h", "dlfcn.h", "errno.h", "fcntl.h",
    "float.h", "fts.h", "ftw.h", "glob.h", "immintrin.h", "inttypes.h", "limits.h", "link.h",
    "linux/*.h", "locale.h", "malloc.h", "math.h", "netinet/*.h", "omp.h", "poll.h", "pthread.h", "pwd.h",
    "sched.h", "setjmp.h", "signal.h", "spawn.h", "stdarg.h", "stdatomic.h", "stdbool.h",
    "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h", "strings.h", "sys/*.h",
    "threads.h", "time.h", "type_traits", "unistd.h",
};

static bool allowed(const struct rule *rules, size_t count, const char *from, const char *to)
{
    for (size_t i = 0; i < count; i++)
        if (fnmatch(rules[i].from, from, 0) == 0 && fnmatch(rules[i].to, to, 0) == 0)
            return true;
    return false;
}

static bool is_library(const char *header)
{
    for (size_t i = 0; i < sizeof platform / sizeof platform[0]; i++)
        if (fnmatch(platform[i], header, 0) == 0)
            return false;
    return true;
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
    static const char *const ours[] = {".c", ".h", ".cu", ".cuh", ".glsl", ".def"};
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

/* A library that `header`, or one of its own includes, includes; NULL if none. */
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

/* Whether `name`, or one of its own includes, includes `header`. */
static bool reaches(const char *name, const char *header, int depth)
{
    const struct source *source = find_source(name);
    bool found = false;
    for (int i = 0; source && !found && depth < 16 && i < source->own_count; i++)
        found = strcmp(source->own[i], header) == 0 || reaches(source->own[i], header, depth + 1);
    return found;
}

/* The part of a name up to its last slash. */
static void room_of(const char *name, char out[NAME_MAX_])
{
    const char *slash = strrchr(name, '/');
    snprintf(out, NAME_MAX_, "%.*s", slash ? (int)(slash - name) : 0, name);
}

static const struct room *find_room(const char *name)
{
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++)
        if (strcmp(rooms[i].name, name) == 0)
            return &rooms[i];
    return NULL;
}

/* Whether one of the patterns, each followed by a space, matches. */
static bool listed(const char *patterns, const char *room)
{
    char pattern[NAME_MAX_];
    for (const char *at = patterns; *at; at = strchr(at, ' ') + 1) {
        snprintf(pattern, sizeof pattern, "%.*s", (int)strcspn(at, " "), at);
        if (fnmatch(pattern, room, 0) == 0)
            return true;
    }
    return false;
}

static bool may_include(const char *from, const char *to)
{
    char from_room[NAME_MAX_], to_room[NAME_MAX_];
    if (allowed(vocabulary, sizeof vocabulary / sizeof vocabulary[0], from, to))
        return true;
    room_of(from, from_room);
    room_of(to, to_room);
    const struct room *room = find_room(from_room);
    return room && (strcmp(from_room, to_room) == 0 || listed(room->to, to_room));
}

/* "cmd/film" of "cmd/film/job/job.h", "cmd" of "cmd/main.c", "" outside of cmd. */
static void wing_of(const char *name, char wing[NAME_MAX_])
{
    const char *slash = strncmp(name, "cmd/", 4) == 0 ? strchr(name + 4, '/') : NULL;
    const int length = slash ? (int)(slash - name) : strncmp(name, "cmd/", 4) == 0 ? 3 : 0;
    snprintf(wing, NAME_MAX_, "%.*s", length, name);
}

static bool wing_may_include(const char *from, const char *to)
{
    char from_wing[NAME_MAX_], to_wing[NAME_MAX_];
    wing_of(from, from_wing);
    wing_of(to, to_wing);
    if (!*to_wing || strcmp(from_wing, to_wing) == 0)
        return true;
    for (size_t i = 0; i < sizeof wings / sizeof wings[0]; i++)
        if (strcmp(wings[i].name, from_wing) == 0)
            return listed(wings[i].to, to_wing);
    return false;
}

/* Headers of the commands must not include headers that only the commands may include. */
static bool is_header_with_command_line(const char *from, const char *to)
{
    char wing[NAME_MAX_], to_wing[NAME_MAX_];
    wing_of(from, wing);
    wing_of(to, to_wing);
    return strcmp(wing, "cmd") == 0 && strcmp(to_wing, "cmd/cli") == 0 &&
           strcmp(strrchr(from, '.'), ".c") != 0;
}

/* A header of declarations includes no library. */
static bool is_vocabulary(const char *name)
{
    for (size_t i = 0; i < sizeof vocabulary / sizeof vocabulary[0]; i++)
        if (strcmp(vocabulary[i].to, name) == 0)
            return true;
    return false;
}

static void check_source(const struct source *source)
{
    char room[NAME_MAX_], to[NAME_MAX_];
    room_of(source->name, room);
    if (!find_room(room))
        blame(source->name, room, "the room is not in the plan");
    for (size_t i = 0; i < sizeof deciding / sizeof *deciding; i++)
        if (strcmp(source->name, deciding[i]) == 0 && reaches(source->name, own_bodies, 0))
            blame(source->name, own_bodies, "what decides for all ranks takes whole numbers");
    for (int i = 0; i < source->own_count; i++) {
        const char *header = source->own[i];
        if (!find_source(header))
            blame(source->name, header, "there is no such file; names begin at the tree's root");
        else if (!wing_may_include(source->name, header))
            blame(source->name, header, "a wing of cmd does not include that one");
        else if (is_header_with_command_line(source->name, header))
            blame(source->name, header,
                  "of the commands, only the .c files include the command line");
        else if (!may_include(source->name, header))
            blame(source->name, header, "data does not flow this way");
        else if (is_vocabulary(source->name) && !is_vocabulary(header) &&
                 (room_of(header, to), strcmp(to, "base") != 0))
            blame(source->name, header, "a header of words alone reaches into a room");
        else if (!same_folder(source->name, header) && brought_by(header, 0))
            blame(source->name, header, "a third-party library comes with it");
    }
    for (int i = 0; i < source->other_count; i++)
        if (is_library(source->other[i]) &&
            !allowed(library_rules, sizeof library_rules / sizeof library_rules[0], source->name,
                     source->other[i]))
            blame(source->name, source->other[i], "the library does not belong here");
}

/* "render/sink/sink" of "render/sink/sink.c": a file with the header beside it is one unit. */
static size_t stem(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? (size_t)(dot - name) : strlen(name);
}

static bool same_unit(const char *a, const char *b)
{
    return stem(a) == stem(b) && strncmp(a, b, stem(a)) == 0;
}

static struct source *first_of_unit(const char *name)
{
    for (int i = 0; i < tree.count; i++)
        if (same_unit(tree.files[i].name, name))
            return &tree.files[i];
    return NULL;
}

/* Follows the includes of a unit; meeting a unit again on the way closes a circle. */
static void walk(struct source *unit)
{
    unit->walk = ON_PATH;
    for (int f = 0; f < tree.count; f++) {
        const struct source *file = &tree.files[f];
        for (int i = 0; same_unit(file->name, unit->name) && i < file->own_count; i++) {
            struct source *next = first_of_unit(file->own[i]);
            if (!next || next == unit)
                continue;
            if (next->walk == ON_PATH)
                blame(file->name, file->own[i], "and that leads back here: a circle");
            else if (next->walk == UNSEEN)
                walk(next);
        }
    }
    unit->walk = DONE;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct source *)a)->name, ((const struct source *)b)->name);
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
    qsort(tree.files, (size_t)tree.count, sizeof *tree.files, by_name);
    for (int i = 0; i < tree.count; i++)
        check_source(&tree.files[i]);
    for (int i = 0; i < tree.count; i++) {
        struct source *unit = first_of_unit(tree.files[i].name);
        if (unit->walk == UNSEEN)
            walk(unit);
    }
    return tree.count;
}

static bool is_used(const struct rule *rule)
{
    for (int i = 0; i < tree.count; i++)
        for (int k = 0; k < tree.files[i].other_count; k++)
            if (is_library(tree.files[i].other[k]) &&
                allowed(rule, 1, tree.files[i].name, tree.files[i].other[k]))
                return true;
    return false;
}

/* Names a row of library_rules that the tree does not need. */
static void check_library_rules(void)
{
    for (size_t i = 0; i < sizeof library_rules / sizeof library_rules[0]; i++)
        if (!is_used(&library_rules[i]))
            blame(library_rules[i].from, library_rules[i].to,
                  "no file does so; remove the row of library_rules");
}

TEST(the_tree_keeps_the_rules)
{
    const char *root = getenv("GRAVREEL_TEST_SOURCE");
    if (!root)
        outcome_skip(MISSING_SOURCE, "GRAVREEL_TEST_SOURCE does not name it");
    assert_true(check_tree(root) > 80);
    assert_non_null(find_source("cmd/main.c"));
    assert_true(find_source("cmd/main.c")->own_count >= 2);
    for (size_t i = 0; i < sizeof deciding / sizeof *deciding; i++)
        assert_non_null(find_source(deciding[i]));
    check_library_rules();
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

TEST(violations_are_found)
{
    static const struct {
        const char *name, *text, *found;
    } planted[] = {
        /* between top-level folders */
        {"base/a.c", "#include \"sim/view.h\"\n", "base/a.c includes sim/view.h: data"},
        {"kernels/pairs/cuda/a.cu", "#include \"base/log.h\"\n",
         "kernels/pairs/cuda/a.cu includes base/log.h: data"},
        {"sim/a.c", "#include \"render/picture/picture.h\"\n",
         "sim/a.c includes render/picture/picture.h: data"},
        {"render/a.c", "  #  include \"sim/bodies/bodies.h\"\n",
         "render/a.c includes sim/bodies/bodies.h: data"},
        {"scenes/a.c", "#include \"sim/bodies/bodies.h\"\n",
         "scenes/a.c includes sim/bodies/bodies.h: data"},
        {"cmd/a.c", "#include \"kernels/force.h\"\n", "cmd/a.c includes kernels/force.h: data"},
        /* upwards between rooms */
        {"sim/bodies/a.c", "#include \"sim/models/model.h\"\n",
         "sim/bodies/a.c includes sim/models/model.h: data"},
        {"render/sink/a.c", "#include \"render/video/codecs.h\"\n",
         "render/sink/a.c includes render/video/codecs.h: data"},
        {"cmd/film/manifest/a.c", "#include \"cmd/film/job/job.h\"\n",
         "cmd/film/manifest/a.c includes cmd/film/job/job.h: data"},
        {"cmd/film/a.c", "#include \"cmd/command.h\"\n",
         "cmd/film/a.c includes cmd/command.h: a wing"},
        /* between the wings of cmd */
        {"cmd/film/job/a.c", "#include \"cmd/regression/record/record.h\"\n",
         "cmd/film/job/a.c includes cmd/regression/record/record.h: a wing"},
        {"cmd/film/stills/a.c", "#include \"cmd/bench/table.h\"\n",
         "cmd/film/stills/a.c includes cmd/bench/table.h: a wing"},
        {"cmd/film/scene/a.c", "#include \"cmd/cli/options.h\"\n",
         "cmd/film/scene/a.c includes cmd/cli/options.h: a wing"},
        {"cmd/regression/baseline/a.c", "#include \"cmd/cli/options.h\"\n",
         "cmd/regression/baseline/a.c includes cmd/cli/options.h: a wing"},
        {"cmd/bench/suites/a.c", "#include \"cmd/regression/record/record.h\"\n",
         "cmd/bench/suites/a.c includes cmd/regression/record/record.h: a wing"},
        {"cmd/cli/a.c", "#include \"cmd/regression/record/record.h\"\n",
         "cmd/cli/a.c includes cmd/regression/record/record.h: a wing"},
        {"cmd/cli/help/a.c", "#include \"cmd/film/job/job.h\"\n",
         "cmd/cli/help/a.c includes cmd/film/job/job.h: data"},
        {"cmd/a.h", "#include \"cmd/cli/options.h\"\n",
         "cmd/a.h includes cmd/cli/options.h: of the commands"},
        {"render/draw.h", "#include \"render/picture/picture.h\"\n",
         "render/draw.h includes render/picture/picture.h: a header of words"},
        {"sim/attic/a.c", "", "sim/attic/a.c includes sim/attic: the room is not in the plan"},
        /* in circles: by headers, and by a file that calls upwards */
        {"cmd/film/job/x.h", "#include \"cmd/film/job/y.h\"\n", NULL},
        {"cmd/film/job/y.h", "#include \"cmd/film/job/x.h\"\n",
         "cmd/film/job/y.h includes cmd/film/job/x.h: and"},
        {"sim/solver/x.h", "", NULL},
        {"sim/solver/x.c", "#include \"sim/solver/x.h\"\n#include \"sim/solver/z.h\"\n", NULL},
        {"sim/solver/z.h", "", NULL},
        {"sim/solver/z.c", "#include \"sim/solver/x.h\"\n",
         "sim/solver/z.c includes sim/solver/x.h: and"},
        /* libraries */
        {"sim/b.c", "#include <libavutil/log.h>\n", "sim/b.c includes libavutil/log.h: the lib"},
        {"cmd/b.c", "#include <epoxy/gl.h>\n", "cmd/b.c includes epoxy/gl.h: the lib"},
        {"base/ranks/b.c", "#include <mpi.h>\n", "base/ranks/b.c includes mpi.h: the lib"},
        {"sim/c.c", "#include <cuda_runtime_api.h>\n", "sim/c.c includes cuda_runtime_api.h"},
        {"render/overlay/overlay.c", "#include <cairo.h>\n",
         "render/overlay/overlay.c includes cairo.h: the lib"},
        {"sim/formats/a.c", "#include <lzma.h>\n", "sim/formats/a.c includes lzma.h: the lib"},
        {"cmd/regression/baseline/b.c", "#include <zstd.h>\n",
         "cmd/regression/baseline/b.c includes zstd.h: the lib"},
        {"kernels/pairs/cuda/b.cu", "#include <cub/device/device_scan.cuh>\n",
         "kernels/pairs/cuda/b.cu includes cub/device/device_scan.cuh: the lib"},
        {"base/c.c", "#include <never/seen.h>\n", "base/c.c includes never/seen.h: the lib"},
        {"cmd/c.c", "#include \"render/gl/b.h\"\n",
         "cmd/c.c includes render/gl/b.h: a third-party"},
        {"cmd/film/script/reach.c", "#include \"sim/bodies/bodies_whole.h\"\n",
         "cmd/film/script/reach.c includes sim/bodies/bodies.h: what decides"},
        {"cmd/film/script/plan.c", "#include \"sim/bodies/bodies_whole.h\"\n",
         "cmd/film/script/plan.c includes sim/bodies/bodies.h: what decides"},
        {"render/b.c", "#include \"nowhere.h\"\n", "render/b.c includes nowhere.h: there is no"},
        /* and what is as it should be */
        {"render/overlay/ink.c", "#include <cairo-ft.h>\n", NULL},
        {"sim/formats/bytes.c", "#include <lzma.h>\n#include <zstd.h>\n", NULL},
        {"kernels/tree/cuda/build.cu", "#include <cub/device/device_scan.cuh>\n", NULL},
        {"cmd/bench/a.c", "#include \"kernels/force.h\"\n", NULL},
        {"render/c.c", "#include \"sim/view.h\"\n#include <epoxy/gl.h>\n", NULL},
        {"sim/d.c", "#include <math.h>\n#include \"sim/bodies/bodies.h\"\n", NULL},
        {"render/gl/b.h", "#include \"render/gl/c.h\"\n", NULL},
        {"render/gl/c.h", "#include <epoxy/gl.h>\n", NULL},
        {"base/log.h", "", NULL},
        {"sim/view.h", "", NULL},
        {"sim/bodies/bodies.h", "", NULL},
        {"sim/bodies/bodies_whole.h", "#include \"sim/bodies/bodies.h\"\n", NULL},
        {"sim/models/model.h", "", NULL},
        {"render/picture/picture.h", "", NULL},
        {"render/video/codecs.h", "", NULL},
        {"cmd/d.c", "#include \"cmd/cli/options.h\"\n#include \"cmd/regression/record/record.h\"\n",
         NULL},
        {"cmd/regression/record/a.c", "#include \"cmd/film/job/job.h\"\n", NULL},
        {"cmd/cli/options.h", "", NULL},
        {"cmd/bench/table.h", "", NULL},
        {"cmd/regression/record/record.h", "", NULL},
        {"cmd/film/job/job.h", "", NULL},
        {"cmd/command.h", "", NULL},
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

TESTS(NULL, NULL)
