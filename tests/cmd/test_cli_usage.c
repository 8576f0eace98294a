/* What the program refuses, and what it answers without rendering. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "tests/support/cli.h"
#include "tests/support/sink_fixture.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WORDS_MAX = 8 };

static const char good_table[] = "1 0 0 0 0 0 0\n1 1 0 0 0 0.5 0\n";

struct refused {
    const char *words[WORDS_MAX];
    int code;
    const char *part;
};

static const struct refused refused[] = {
    /* Nearest names. */
    {{"rendr", "-o", "x.mp4"}, 2, "did you mean 'render'?"},
    {{"render", "--bodeis=3", "-o", "x.mp4"}, 2, "did you mean '--bodies'?"},
    {{"render", "--set", "--codce", "-o", "x.mp4"}, 2, "SECTION.KEY=VALUE, found '--codce'"},
    {{"render", "-yz", "-o", "x.mp4"}, 2, "there is no option '-z'"},
    {{"render", "near.yml", "-o", "x.mp4"}, 5, "did you mean 'near.yaml'?"},
    {{"render", "./near.yml", "-o", "x.mp4"}, 5, "did you mean './near.yaml'?"},
    {{"--verison"}, 2, "no option '--verison' before a command; did you mean '--version'?"},
    {{"render", "--backend", "gpu", "-o", "x.mp4"}, 2, "did you mean 'cuda'?"},
    {{"render", "--codec", "x265", "-o", "x.mp4"}, 2, "did you mean 'hevc'?"},
    {{"render", "--set", "camera.projection=360", "-o", "x.mp4"}, 2, "did you mean 'equirect'?"},
    {{"scenes", "--keyz"}, 2, "did you mean '--keys'?"},
    {{"scenes", "plumer"}, 2, "did you mean 'plummer'?"},
    {{"render", "milkyway-andromeda", "-o", "x.mp4"}, 2, "did you mean 'milky-way-andromeda'?"},
    {{"render", "--set", "camera.orbt=3", "-o", "x.mp4"}, 2, "did you mean 'camera.orbit'?"},
    {{"render", "--set", "camra.orbit=3", "-o", "x.mp4"}, 2, "camera"},
    {{"render", "--codec", "h246", "-o", "x.mp4"}, 2, "did you mean 'h264'?"},
    {{"render", "--backend", "cdua", "-o", "x.mp4"}, 2, "did you mean 'cuda'?"},
    {{"render", "--set", "look.color=velocty", "-o", "x.mp4"}, 2, "did you mean 'velocity'?"},
    {{"render", "--set", "look.map=virids", "-o", "x.mp4"}, 2, "look.map: there is no colour map"},
    {{"render", "--set", "look.map=virids", "-o", "x.mp4"}, 2, "did you mean 'viridis'?"},
    {{"render", "--set", "look.mode=point", "-o", "x.mp4"}, 2, "did you mean 'points'?"},
    {{"render", "--set", "look.plain=[1, 2, 0]", "-o", "x.mp4"}, 2, "0 to 1, found 2"},
    {{"render", "--set", "simulation.integrator=kkd", "-o", "x.mp4"}, 2, "did you mean 'kdk'?"},
    {{"render", "--set", "bodies.model=galaxy", "-o", "x.mp4"}, 2, "galaxies, rings, plummer, "},
    {{"render", "--set", "simulation.force=slow", "-o", "x.mp4"}, 2, "fast"},
    /* What is looked for among the options. */
    {{"render", "--title", "x", "-o", "x.mp4"}, 2, "did you mean `--set 'output.title="},
    {{"render", "--background=red", "-o", "x.mp4"}, 2, "`--set look.background="},
    {{"render", "--music", "x.m4a", "-o", "x.mp4"}, 2, "did you mean `--audio song.m4a`?"},
    {{"render", "--transparent", "-o", "x.mov"}, 2, "did you mean `--alpha straight`?"},
    {{"render", "--slow", "4", "-o", "x.mp4"}, 2, "simulation.slow=[{at: pericentre"},
    {{"render", "--caption", "x", "-o", "x.mp4"}, 2, "overlay.captions=[{text:"},
    {{"still", "--fade", "1", "-o", "x.png"}, 2, "look.fade_in=1"},
    {{"still", "--music", "x.m4a", "-o", "x.png"}, 2, "no option '--music'; `gravreel still"},
    /* Words missing or too many. */
    {{"render", "x.mp4"}, 2, "no scene or film 'x.mp4'; did you mean -o x.mp4?"},
    {{"render", "x/%06d.png"}, 2, "did you mean -o x/%06d.png?"},
    {{"still", "x.png"}, 2, "did you mean -o x.png?"},
    {{"still", "x.mp4", "--at", "1", "-o", "x.png"}, 5, "cannot"},
    {{"render", "--alpha", "-o", "x.png"}, 2, "needs none|straight|premultiplied, found the opt"},
    {{"render", "--size", "-o", "x.mp4"}, 2, "--size needs WxH, found the option '-o'"},
    {{"render", "-o", "--size", "720p"}, 2, "--output needs OUT, found the option '--size'"},
    {{NULL}, 2, "no command was given"},
    {{"render"}, 2, "no output given"},
    {{"render", "-o"}, 2, "requires an argument"},
    {{"render", "plummer", "dubinski", "-o", "x.mp4"}, 2, "found 'plummer' and 'dubinski'"},
    {{"render", "--b", "3", "-o", "x.mp4"}, 2, "ambiguous"},
    {{"info"}, 2, "no file given"},
    {{"doctor", "now"}, 2, "Too many"},
    /* Values. */
    {{"render", "-n", "many", "-o", "x.mp4"}, 2, "--bodies: bodies.count: expected a whole number"},
    {{"render", "-n", "0", "-o", "x.mp4"}, 2, "1 or more"},
    {{"render", "-n", "-5", "-o", "x.mp4"}, 2, "found '-5'"},
    {{"render", "--fps", "fast", "-o", "x.mp4"}, 2, "--fps: output.fps: expected a frame rate"},
    {{"render", "--duration", "0", "-o", "x.mp4"}, 2, "--duration needs the seconds"},
    {{"render", "--duration", "1:75", "-o", "x.mp4"}, 2, "--duration needs the seconds"},
    {{"render", "--speed", "-2", "-o", "x.mp4"}, 2, "--speed needs a number above 0"},
    {{"render", "--speed", "1e3", "-o", "x.mp4"}, 2, "--speed needs a number above 0"},
    {{"render", "--duration", "9", "--frames", "9", "-o", "x.mp4"}, 2, "both say how long"},
    {{"render", "--duration", "1e9", "-o", "x.mp4"}, 2, "--duration needs the seconds"},
    {{"render", "--duration", "99999:00", "-o", "x.mp4"}, 2, "output.frames would be"},
    {{"render", "--size", "9x9", "-o", "x.mp4"}, 2, "16x16 to 16384x16384"},
    {{"render", "--size", "9:17", "-o", "x.mp4"}, 2, "vertical or square, 16x16 to 16384x16384, f"},
    {{"render", "--size", "9:17", "-o", "x.mp4"}, 2, "16384x16384, found '9:17'"},
    {{"render", "--size", "129x73", "-o", "x.mp4"}, 2, "its colour at half the size"},
    {{"render", "--set", "simulation.force_error=1", "-o", "x.mp4"}, 2, "0.00001 to 0.01, found 1"},
    {{"render", "--size", "129x73", "-o", "x.mp4"}, 2, "use 130x74, or --pad"},
    {{"render", "--codec", "h264-444", "-o", "x.mp4"}, 2, "is now h264 with output.chroma 444"},
    {{"render", "--bits", "9", "-o", "x.mp4"}, 2, "--bits: output.bits"},
    {{"render", "--bits", "8", "--codec", "prores", "-o", "x.mov"}, 2, "it offers bits 10"},
    {{"render", "--chroma", "422", "-o", "x.mp4"}, 2, "no chroma '422'"},
    {{"render", "--codec-option", "foo", "-o", "x.mp4"}, 2, "needs KEY=VALUE, found 'foo'"},
    {{"render", "--codec-option", "foo=1", "-o", "x.mp4"}, 2, "does not take option foo=1"},
    {{"render", "--deterministic=perhaps", "-o", "x.mp4"}, 2, "--deterministic"},
    {{"render", "--crf", "99", "-o", "x.mp4"}, 2, "crf"},
    {{"render", "--preset", "medum", "-o", "x.mp4"}, 2, "ultrafast"},
    {{"render", "--seed", "-1", "-o", "x.mp4"}, 2, "--seed"},
    {{"render", "--device", "first", "-o", "x.mp4"}, 2, "--device"},
    {{"render", "--log-level", "loud", "-o", "x.mp4"}, 2, "error, warning, info or debug"},
    {{"render", "--set", "orbit", "-o", "x.mp4"}, 2, "SECTION.KEY=VALUE"},
    {{"render", "--set", "=3", "-o", "x.mp4"}, 2, "SECTION.KEY=VALUE"},
    {{"render", "--set", "orbit=3", "-o", "x.mp4"}, 2, "orbit"},
    {{"render", "--set", "camera.orbit=north", "-o", "x.mp4"}, 2, "expected a number"},
    {{"render", "--set", "simulation.dt=0", "-o", "x.mp4"}, 2, "> 0"},
    {{"render", "--set", "simulation.dt=nan", "-o", "x.mp4"}, 2, "simulation.dt"},
    {{"render", "--frames", "9..3", "-o", "x.mp4"}, 2, "A <= B"},
    {{"render", "--frames", "a..b", "-o", "x.mp4"}, 2, "for example --frames 0..99"},
    {{"render", "--frames", "..", "-o", "x.mp4"}, 2, "--frames"},
    {{"render", "--frames", "0", "-o", "x.mp4"}, 2, "output.frames"},
    {{"render", "--frames", "0..650", "-o", "x.mp4"}, 2, "frames 0 to 649"},
    {{"render", "--frames", "650..", "-o", "x.mp4"}, 2, "frames 0 to 649"},
    {{"render", "--frames", "99999999999999999999", "-o", "x.mp4"}, 2, "--frames"},
    /* Outputs. */
    {{"render", "-o", "x.avi"}, 2, "names no output format; use one of mp4"},
    {{"render", "-o", "x"}, 2, "no extension"},
    {{"render", "-o", ""}, 2, "extension"},
    {{"render", "-o", "x.png"}, 2, "%06d"},
    {{"render", "-o", "x%s.png"}, 2, "neither %d"},
    {{"render", "--format", "tiff", "-o", "x"}, 2, "'tiff'"},
    {{"render", "--format", "mp4", "-o", "-"}, 2, "mkv"},
    {{"render", "--codec", "vp9", "-o", "x.mov"}, 2, "vp9"},
    /* Files. */
    {{"render", "nowhere.yaml", "-o", "x.mp4"}, 5, "nowhere.yaml"},
    {{"render", "bad.yaml", "-o", "x.mp4"}, 2, "bad.yaml:2"},
    {{"render", "--bodies-from", "nowhere.tab", "-o", "x.mp4"}, 5, "nowhere.tab"},
    {{"render", "--bodies-from", "text.tab", "-o", "x.mp4"}, 2, "text.tab:2"},
    {{"render", "--bodies-from", "nan.tab", "-o", "x.mp4"}, 2, "nan.tab:1"},
    {{"render", "--bodies-from", "minus.tab", "-o", "x.mp4"}, 2, "minus.tab:2"},
    {{"render", "--bodies-from", "short.tab", "-o", "x.mp4"}, 2, "short.tab:2"},
    {{"render", "--bodies-from", "empty.tab", "-o", "x.mp4"}, 2, "empty.tab"},
    {{"render", "--bodies-from", "good.tab", "-n", "3", "-o", "x.mp4"}, 2, "3"},
    {{"render", "--bodies-from", ".", "-o", "x.mp4"}, 5, "directory"},
    {{"info", "nowhere.tab"}, 5, "there is no file 'nowhere.tab'"},
    {{"info", "nofile.mp4"}, 5, "there is no file 'nofile.mp4'"},
    {{"info", "text.tab"}, 2, "text.tab:2"},
    {{"info", "bad.yaml"}, 2, "bad.yaml:2"},
    {{"info", "cut.mp4"}, 2, "cut.mp4"},
};

static void make_files(void)
{
    cli_write("good.tab", good_table);
    cli_write("near.yaml", "bodies: {model: plummer, count: 8}\n");
    cli_write("text.tab", "1 0 0 0 0 0 0\n1 0 0 zero 0 0 0\n");
    cli_write("nan.tab", "1 0 nan 0 0 0 0\n");
    cli_write("minus.tab", "1 0 0 0 0 0 0\n-1 1 0 0 0 0 0\n");
    cli_write("short.tab", "1 0 0 0 0 0 0\n1 0 0 0\n");
    cli_write("empty.tab", "# nothing\n");
    cli_write("bad.yaml", "simulation:\n  dt: soon\n");
    /* The first box of a film that never got its index. */
    FILE *cut = fopen(cli_path("cut.mp4"), "wb");
    assert_non_null(cut);
    static const unsigned char box[] = {0,   0,   0,   16,  'f', 't', 'y', 'p',
                                        'i', 's', 'o', 'm', 0,   0,   2,   0};
    assert_int_equal(fwrite(box, 1, sizeof box, cut), sizeof box);
    assert_int_equal(fclose(cut), 0);
}

static void wrong_words_write_nothing(void **state)
{
    (void)state;
    make_files();
    int files = fixture_count_files(cli_folder);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const struct run *run = cli_run(NULL, refused[i].code, refused[i].words);
        cli_says(run->err, refused[i].part);
        assert_int_equal(run->out_size, 0);
        assert_null(strchr(run->err, '\033'));
        assert_true(run->err[0] && run->err[strlen(run->err) - 1] == '\n');
        assert_int_equal(fixture_count_files(cli_folder), files);
    }
}

/* As above, in a folder that cannot be written, and with an output that is one. */
static void unwritable_places(void **state)
{
    (void)state;
    cli_need_gl();
    cli_write("file", "kept");
    const char *small[] = {"render",   "-n", "8",  "--size", "32x32",
                           "--frames", "2",  "-o", NULL,     NULL};
    static const char *const places[] = {"file/x.mp4", "file/%04d.png", "file/x.hash",
                                         "/proc/x.mkv"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        small[8] = places[i];
        cli_says(cli_run(NULL, 5, small)->err, i < 3 ? "file" : "/proc");
    }
    small[8] = "folder.mp4";
    assert_int_equal(mkdir(cli_path("folder.mp4"), 0777), 0);
    cli_says(cli_run(NULL, 2, small)->err, "folder.mp4");
    if (geteuid() != 0) {
        assert_int_equal(mkdir(cli_path("locked"), 0500), 0);
        small[8] = "locked/x.mp4";
        cli_says(cli_run(NULL, 5, small)->err, "locked");
    }
    char *text = cli_read("file");
    assert_string_equal(text, "kept");
    free(text);
}

static void never_says(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("'%s' is said in: %s", part, text);
}

static void what_exists_is_kept(void **state)
{
    (void)state;
    cli_need_gl();
    static const char *const names[] = {"old.mp4", "old.hash", "seq/0003.png", "new.scene.yaml",
                                        "saved.yaml"};
    assert_ok(file_make_folder(cli_path("seq")));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cli_write(names[i], "precious");
    int files = fixture_count_files(cli_folder);
#define SMALL "render", "plummer", "-n", "8", "--size", "32x32", "--frames", "5", "-o"
    cli_says(cli(2, SMALL, "old.mp4")->err, "'old.mp4' exists already; replace it with -y");
    cli_says(cli(2, SMALL, "old.hash")->err, "old.hash");
    cli_says(cli(2, SMALL, "seq/%04d.png")->err, "0003.png");
    cli_says(cli(2, SMALL, "other.mp4", "--save-scene", "saved.yaml")->err, "saved.yaml");
    cli_says(cli(2, "render", "--save-scene", "saved.yaml")->err, "saved.yaml");
    assert_int_equal(fixture_count_files(cli_folder), files);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *text = cli_read(names[i]);
        assert_string_equal(text, "precious");
        free(text);
    }
    cli(0, SMALL, "old.hash", "-y");
    char *text = cli_read("old.hash");
    assert_string_not_equal(text, "precious");
    free(text);
}

/* m.mp4 after m.mov: two films, one name beside them. */
static void scenes_beside_films_make_room(void **state)
{
    (void)state;
    cli_need_gl();
#define SEED "--seed"
    cli(0, SMALL, "m.mov");
    char *first = cli_read("m.scene.yaml");
    never_says(cli(0, SMALL, "m.mkv")->err, "another film"); /* the same scene: shared */
    assert_false(cli_exists("m.mkv.scene.yaml"));
    cli_says(cli(0, SMALL, "m.mp4", SEED, "2")->err,
             "'m.scene.yaml' is the scene of another film; this one's is written to "
             "'m.mp4.scene.yaml'");
    cli(0, SMALL, "m.mp4", SEED, "3", "-y"); /* its own is replaced, and the others' not */
    char *now = cli_read("m.scene.yaml"), *own = cli_read("m.mp4.scene.yaml");
    assert_string_equal(now, first);
    cli_says(own, "seed: 3\n");
    free(now);
    free(own);
    assert_int_equal(remove(cli_path("m.mp4")), 0);
    cli(0, SMALL, "m.mp4", SEED, "4");
    own = cli_read("m.mp4.scene.yaml");
    cli_says(own, "seed: 3\n");
    free(own);
    own = cli_read("m.mp4.2.scene.yaml");
    cli_says(own, "seed: 4\n");
    free(own);
    free(first);
    cli(0, SMALL, "alone.mp4");
    cli(0, SMALL, "alone.mp4", SEED, "5", "-y"); /* as ever: it is nobody else's */
    own = cli_read("alone.scene.yaml");
    cli_says(own, "seed: 5\n");
    free(own);
    assert_false(cli_exists("alone.mp4.scene.yaml"));
#undef SEED
}

static void help_is_given(void **state)
{
    (void)state;
    cli_says(cli(0, "--help")->out, "Usage: gravreel COMMAND");
    cli_says(cli(0, "help")->out, "doctor");
    cli_says(cli(0, "--version")->out, "gravreel 0.");
    char *commands = memory_text(cli(0, "--help")->out), title[64];
    const char *line = strstr(commands, "Commands:\n");
    assert_non_null(line);
    size_t count = 0;
    for (line = strchr(line, '\n') + 1; *line == ' '; line = strchr(line, '\n') + 1, count++) {
        char name[32];
        assert_int_equal(sscanf(line, "%31s", name), 1);
        snprintf(title, sizeof title, "Usage: gravreel %s", name);
        cli_says(cli(0, name, "--help")->out, title);
        cli_says(cli(0, name, "--usage")->out, title);
        cli_says(cli(0, name, "-?")->out, "--help");
    }
    assert_true(count >= 8);
    free(commands);
    const char *help = cli(0, "render", "--help")->out;
    static const char *const options[] = {
        "--output",    "--bodies",     "--bodies-from", "--frames",    "--fps",     "--size",
        "--codec",     "--crf",        "--preset",      "--backend",   "--device",  "--seed",
        "--set",       "--save-scene", "--dry-run",     "--overwrite", "--verbose", "--quiet",
        "--log-level", "--progress",   "--format"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        cli_says(help, options[i]);
    cli_says(help, "mov, webm, y4m, gif,"); /* the formats, from their registries */
    /* A command takes no option of another one. */
    cli_says(cli(0, "still", "--help")->out, "--png-bits");
    cli_says(cli(2, "render", "--columns", "3", "-o", "x.mp4")->err, "no option '--columns'");
    cli_says(cli(2, "sheet", "--crf", "30", "-o", "x.png")->err, "no option '--crf'");
    cli_says(cli(0, "render", "--codec", "help")->out, "libx264");
    cli_says(cli(0, "render", "--preset", "help", "-o", "x.mp4")->out, "veryfast");
    cli_says(cli(0, "render", "--backend", "help")->out, "cuda");
    cli_says(cli(0, "render", "--set", "look.profile=help")->out, "plummer");
    cli_says(cli(0, "render", "--set", "look.color=help")->out, "density");
    cli_says(cli(0, "render", "--set", "look.exposure=help")->out, "adapt");
    cli_says(cli(0, "render", "--set", "camera.projection=help")->out, "over-under");
    cli_says(cli(0, "render", "--chroma", "help")->out, "444");
    cli_says(cli(0, "render", "--set", "look.mode=help")->out, "activity");
    const char *colours = cli(0, "render", "--set", "look.color=help")->out;
    static const char *const names[] = {"velocity", "speed",     "radial",  "acceleration",
                                        "galaxy",   "component", "constant"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cli_says(colours, names[i]);
    const char *maps = cli(0, "render", "--set", "look.map=help")->out;
    static const char *const map_names[] = {"plasma",  "viridis", "inferno",  "magma",
                                            "cividis", "turbo",   "starlight"};
    for (size_t i = 0; i < sizeof map_names / sizeof map_names[0]; i++)
        cli_says(maps, map_names[i]);
    cli_says(cli(0, "render", "--set", "look.mode=help")->out, "sprites-plain");
    cli_says(cli(0, "render", "--set", "bodies.model=help")->out, "plummer");
    cli_says(cli(0, "render", "--set", "simulation.integrator=help")->out, "kdk");
    assert_false(cli_exists("x.mp4"));
}

static void keys_are_explained(void **state)
{
    (void)state;
    static const char *const paths[] = {"camera.orbit", "output.title", "camera.moves",
                                        "look.exposure"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char *setting = text_format("%s=help", paths[i]);
        char *help = memory_text(cli(0, "render", "--set", setting)->out);
        assert_memory_equal(help, paths[i], strlen(paths[i]));
        assert_string_equal(cli(0, "scenes", "--keys", paths[i])->out, help);
        free(help);
        free(setting);
    }
    cli_says(cli(0, "sheet", "--set", "camera.orbit=help")->out, "default 60; a number; in deg");
    char *section = memory_text(cli(0, "still", "--set", "camera=help")->out);
    assert_string_equal(cli(0, "scenes", "--keys", "camera")->out, section);
    cli_says(section, "camera: Where the picture is taken from.");
    cli_says(section, "azimuth turned over the whole film");
    cli_says(section, "of a zoom: how many times larger things become");
    assert_null(strstr(section, "simulation"));
    free(section);
    const char *all = cli(0, "scenes", "--keys")->out;
    for (const char *line = all; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") < 80);
    cli_says(cli(2, "render", "--set", "camra=help")->err, "did you mean 'camera'?");
    cli_says(cli(2, "render", "--set", "camera.orbt=help")->err, "did you mean 'camera.orbit'?");
    cli_says(cli(2, "scenes", "--keys", "orbit")->err, "did you mean 'camera.orbit'?");
    cli_says(cli(2, "scenes", "--markdown", "camera")->err, "leave out one");
    /* A text that is the word itself is quoted. */
    cli(0, "render", "--set", "output.title=\"help\"", "--save-scene", "titled.yaml");
    cli_says(cli(0, "scenes", "--resolved", "titled.yaml")->out, "title: help");
}

/* Whatever a name holds, it neither steers the terminal nor begins a line of its own. */
static void names_are_harmless(void **state)
{
    (void)state;
    static const struct {
        int code;
        const char *words[3], *says;
    } rows[] = {
        {2, {"\033[31mfoo"}, "'\\x1b[31mfoo'"},
        {2, {"verify", "--\033]0;x\a"}, "'--\\x1b]0;x\\x07'"},
        {2, {"verify", "-\033"}, "'-\\x1b'"},
        {5, {"verify", "q\033[31mno.mp4"}, "q\\x1b[31mno.mp4"},
        {5, {"check", "\033[31mno"}, "\\x1b[31mno"},
        {5, {"check", "no\n::error::x"}, "no\\x0a::error::x"},
        {5, {"check", "a\177\302\233b\303\244"}, "a\\x7f\\xc2\\x9bb\303\244"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const words[] = {rows[i].words[0], rows[i].words[1], NULL};
        const char *err = cli_run(NULL, rows[i].code, words)->err;
        cli_says(err, rows[i].says);
        assert_ptr_equal(strchr(err, '\n'), err + strlen(err) - 1);
    }
}

static void scenes_are_listed_and_printed(void **state)
{
    (void)state;
    const char *list = cli(0, "scenes")->out;
    static const char *const names[] = {"milky-way-andromeda", "dubinski", "plummer", "comparison"};
    for (size_t i = 0; i < 4; i++)
        cli_says(list, names[i]);
    assert_memory_equal(list, names[0], strlen(names[0])); /* the default comes first */
    for (size_t i = 0; i < 4; i++) {
        cli_write("printed.yaml", cli(0, "scenes", names[i])->out);
        cli_write("resolved.yaml", cli(0, "scenes", names[i], "--resolved")->out);
        /* The printed scene means the same as the built-in one, and so does the resolved one. */
        const char *wanted = cli(0, "scenes", "--resolved", "printed.yaml")->out;
        char *resolved = cli_read("resolved.yaml");
        assert_string_equal(wanted, resolved);
        assert_string_equal(cli(0, "scenes", "resolved.yaml", "--resolved")->out, resolved);
        free(resolved);
    }
    cli_says(cli(0, "scenes", "--keys")->out, "steps_per_frame");
    cli_says(cli(0, "scenes", "--keys", "--markdown")->out, "| `steps_per_frame` |");
}

static void scenes_are_saved(void **state)
{
    (void)state;
    const struct run *run = cli(0, "render", "plummer", "-n", "33", "--set", "camera.orbit=-12.5",
                                "--set", "camera.target=[1, 2, 3]", "--save-scene", "made.yaml");
    assert_int_equal(run->out_size, 0);
    char *made = cli_read("made.yaml");
    cli_says(made, "count: 33\n");
    cli_says(made, "orbit: -12.5\n");
    assert_string_equal(cli(0, "scenes", "--resolved", "made.yaml")->out, made);
    free(made);
}

static void descriptions(void **state)
{
    (void)state;
    cli_write("good.tab", good_table);
    const char *table = cli(0, "info", "good.tab", "--softening", "0.001")->out;
    cli_says(table, "bodies:     2, mass 2\n");
    cli_says(table, "kinetic 0.125, potential -0.99999");
    cli_says(table, "x 0..1 ");
    const char *scene = cli(0, "info", "plummer")->out;
    cli_says(scene, "bodies:     16384, mass 1\n");
    cli_says(scene, "300 frames, 1280x720");
    cli_says(cli(2, "info", "good.tab", "--softening", "0")->err, "above 0");
    cli_write("soft.yaml", "bodies: {count: 40, galaxies: [{name: A, halo_softening: 0.25}]}\n");
    cli_says(cli(0, "info", "soft.yaml")->out, "  softening 0.25  (not drawn)");
    scene = cli(0, "info", "milky-way-andromeda")->out;
    cli_says(scene, "Andromeda");
    cli_says(scene, "kpc");
}

static void a_plan_writes_nothing(void **state)
{
    (void)state;
    cli_need_gl();
    int files = fixture_count_files(cli_folder);
    const struct run *run =
        cli(0, "render", "--dry-run", "-n", "500", "--size", "128x72", "--frames", "10..19", "-o",
            "deep/film.mp4", "--save-scene", "plan.yaml", "--progress", "plan.txt");
    const char *plan = run->out;
    cli_says(run->err, "the folder 'deep' is not there, and would be made\n");
    cli_says(plan, "deep/film.mp4, frames 10 to 19 (10), 128x72, 30/1 frames per second");
    cli_says(plan, "libx264");
    cli_says(plan, "500 in");
    cli_says(plan, "deep/film.scene.yaml");
    assert_int_equal(fixture_count_files(cli_folder), files);
    cli_says(cli(0, "render", "--dry-run", "-n", "500")->out, "none");
    assert_int_equal(fixture_count_files(cli_folder), files);
}

static void the_doctor_finds_what_is_here(void **state)
{
    (void)state;
    cli_need_gl();
    const char *found = cli(0, "doctor")->out;
    cli_says(found, "[ok] cpu");
    cli_says(found, "OpenGL");
    cli_says(found, "point sprites up to");
    cli_says(found, "h264");
}

/* Loaders that find nothing: the sentence says what to install. */
static void no_gl_is_said(void **state)
{
    (void)state;
    cli_need_gl();
    cli_write("none.json", "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": "
                           "\"libnowhere.so\"}}\n");
    char setting[4200];
    snprintf(setting, sizeof setting, "__EGL_VENDOR_LIBRARY_FILENAMES=%s", cli_path("none.json"));
    const struct run *run = cli_with((setting), 4, "render", "-n", "8", "-o", "nogl.mp4");
    cli_says(run->err, "install");
    assert_false(cli_exists("nogl.mp4"));
    run = cli_with((setting), 4, "doctor");
    cli_says(run->out, "[ok] cpu");
    cli_says(run->err, "install");
}

static void faults_are_told_at_once(void **state)
{
    (void)state;
    cli_write("faults.yaml", "bodies: {model: plummer, count: 32}\n"
                             "camera:\n"
                             "  fov: 500\n"
                             "  orbitt: 3\n"
                             "  moves:\n"
                             "    - {move: zoom, from: frame 900}\n"
                             "overlay:\n"
                             "  captions: [{text: a, from: 5, to: 3}]\n");
    const struct run *run = cli(2, "info", "faults.yaml");
    cli_says(run->err, "faults.yaml:3: camera.fov: expected");
    cli_says(run->err, "faults.yaml:4: unknown key 'orbitt'");
    cli_says(run->err, "faults.yaml:6: camera.moves[1].from: the moment falls on frame 900");
    cli_says(run->err, "faults.yaml:8: overlay.captions[1]: expected its end after its beginning");
    assert_string_equal(run->out, "");
    /* What never comes is found by looking. */
    cli_write("never.yaml", "bodies: {count: 200, galaxies: [{name: a}, {name: b}]}\n"
                            "output: {frames: 12}\n"
                            "camera: {moves: [{move: zoom, from: pericentre 3}]}\n"
                            "overlay: {captions: [{text: a, from: merger, to: end}]}\n");
    run = cli(2, "info", "never.yaml");
    cli_says(run->err, "never.yaml:3: camera.moves[1].from: ");
    cli_says(run->err, "never.yaml:4: overlay.captions[1].from: the two galaxies have not merged");
    cli_write("alone.yaml", "bodies: {model: plummer, count: 32}\n"
                            "simulation: {slow: [{at: pericentre, factor: 2}]}\n");
    cli_says(cli(2, "info", "alone.yaml")->err, "pericentre needs two galaxies with names");
}

/* The table of docs/physics.md, row by row, on a scene of 300 frames, 30 a second, 0.04 of time in
 * each. */
static void lengths_and_paces(void **state)
{
    (void)state;
    static const struct {
        const char *options[4]; /* pairs */
        const char *row;        /* of the table */
        double frames, frame_time;
    } rows[] = {
        {{"--frames", "450"},
         "| `--frames N` | as it was | N frames | earlier or later |",
         450,
         0.04},
        {{"--duration", "20"},
         "| `--duration D` | what D takes | D seconds | where it did |",
         600,
         0.02},
        {{"--speed", "2"},
         "| `--speed X` | X times as fast | 1 / X of it | where it did |",
         150,
         0.08},
        {{"--fps", "60"},
         "| `--fps R` | as it was | as it was, in R frames a second | where it did |",
         600,
         0.02},
        {{"--duration", "15", "--speed", "1"},
         "| `--duration D --speed X` | X times as fast | D seconds | earlier or later |",
         450,
         0.04},
        {{"--frames", "450", "--speed", "2"},
         "| `--frames N --speed X` | X times as fast | N frames | earlier or later |",
         450,
         0.08},
    };
    const char *source = getenv("GRAVREEL_TEST_SOURCE");
    char *path = text_format("%s/docs/physics.md", source ? source : "."), *page;
    assert_ok(file_read(path, 1 << 20, &page, NULL));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const *o = rows[i].options;
        const char *text =
            o[2] ? cli(0, "render", "plummer", "--save-scene", "-", o[0], o[1], o[2], o[3])->out
                 : cli(0, "render", "plummer", "--save-scene", "-", o[0], o[1])->out;
        const char *dt = strstr(text, "\n  dt: "), *steps = strstr(text, "  steps_per_frame: "),
                   *frames = strstr(text, "\n  frames: ");
        assert_true(dt && steps && frames);
        assert_true(strtod(frames + 11, NULL) == rows[i].frames);
        assert_float_equal(strtod(dt + 7, NULL) * strtod(steps + 19, NULL), rows[i].frame_time,
                           1e-12);
        cli_says(page, rows[i].row);
    }
    free(page);
    free(path);
}

/* A moment that cannot be is no reason to look through the film for others. */
static void moments_are_checked_before_the_look(void **state)
{
    (void)state;
    const struct run *run =
        cli(2, "render", "-n", "64", "--set",
            "camera.moves=[{move: zoom, from: pericentre}, {move: zoom, from: frame 900}]", "-o",
            "x.hash");
    cli_says(run->err, "camera.moves[2].from: the moment falls on frame 900");
    assert_null(strstr(run->err, "looking through"));
}

/* Nor are names of nothing, keyframes that show nothing, and encounters of a single galaxy. */
static void cameras_are_checked_before_the_look(void **state)
{
    (void)state;
    static const struct {
        const char *setting, *sentence;
    } rows[] = {
        {"camera.follow=Andromda", "camera.follow is 'Andromda', and nothing is called 'Andromda'"},
        {"camera.follow=mass+Milky", "nothing is called 'Milky'"},
        {"look.panels=[{title: a}, {title: b, follow: nobody}]",
         "look.panels[2].follow is 'nobody'"},
        {"camera.keyframes=[{at: pericentre, position: [1, 1, 1], target: [1, 1, 1]}]",
         "camera.keyframes[1].position is also its target"},
        {"camera.keyframes=[{at: 1, position: [9, 0, 0]}, {at: pericentre, position: [0, 0, 9]}]",
         "camera.keyframes[2].up lies along its line of sight"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct run *run = cli(2, "render", "-n", "64", "--set",
                                    "camera.moves=[{move: zoom, "
                                    "from: pericentre}]",
                                    "--set", rows[i].setting, "-o", "x.hash");
        cli_says(run->err, rows[i].sentence);
        assert_null(strstr(run->err, "looking through"));
    }
    const struct run *run = cli(2, "render", "plummer", "-n", "64", "--set", "camera.follow=mass",
                                "--set", "camera.frame=auto", "--set",
                                "camera.moves=[{move: zoom, from: merger}]", "-o", "x.hash");
    cli_says(run->err, "camera.moves[1].from: merger needs two galaxies");
    assert_null(strstr(run->err, "looking through"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_words_write_nothing),
        cmocka_unit_test(unwritable_places),
        cmocka_unit_test(what_exists_is_kept),
        cmocka_unit_test(scenes_beside_films_make_room),
        cmocka_unit_test(help_is_given),
        cmocka_unit_test(keys_are_explained),
        cmocka_unit_test(names_are_harmless),
        cmocka_unit_test(scenes_are_listed_and_printed),
        cmocka_unit_test(scenes_are_saved),
        cmocka_unit_test(descriptions),
        cmocka_unit_test(a_plan_writes_nothing),
        cmocka_unit_test(the_doctor_finds_what_is_here),
        cmocka_unit_test(no_gl_is_said),
        cmocka_unit_test(faults_are_told_at_once),
        cmocka_unit_test(lengths_and_paces),
        cmocka_unit_test(moments_are_checked_before_the_look),
        cmocka_unit_test(cameras_are_checked_before_the_look),
    };
    return cmocka_run_group_tests(tests, cli_set_up, cli_tear_down);
}
