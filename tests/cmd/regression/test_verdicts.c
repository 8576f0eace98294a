/* Pins what the commands that judge films find. verdicts.txt lists about 80 runs, each followed by
 * its exit code and sentence and, for each stage that is not the same, the verdict, the first frame
 * and the rules that warn or fail, with their frames. After an intended change: test_verdicts
 * --write, then read `git diff`. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/baseline/baseline.h"
#include "tests/support/programs/cli.h"
#include "tests/support/controls/control_judge.h"
#include "tests/support/controls/all.h"
#include "tests/support/films/remux.h"

#include <ctype.h>
#include <jansson.h>
#include <string.h>

enum { WORDS_MAX = 64 };

static const char list[] = "cmd/regression/verdicts.txt";
static bool renew;

/* ---- words ---- */

/* Runs the program with the words of a line; quoting is not known. */
static const struct run *run_line(const char *line, int code)
{
    static struct run run;
    char *copy = memory_text(line), *rest = NULL;
    const char *words[WORDS_MAX + 1] = {NULL};
    int count = 0;
    for (char *word = strtok_r(copy, " ", &rest); word && count < WORDS_MAX;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    const struct run_options options = {.folder = cli_folder};
    run_free(&run);
    run_program(&run, &options, words);
    if (code >= 0 && run.code != code)
        fail_msg("%s ended with %d: %s%s", line, run.code, run.out, run.err);
    free(copy);
    return &run;
}

/* Prints a sentence without a list of choices, with '#' for hashes, for places in a file, which
 * depend on the length of the version's name, and for numbers with a point or an exponent, whose
 * last digits depend on the compiler. */
static void print_masked(FILE *out, const char *text)
{
    while (*text && *text != '\n' && strncmp(text, "; choose one of", 15) != 0) {
        const bool place = strncmp(text, "0x", 2) == 0;
        const size_t hash =
            place ? 2 + strspn(text + 2, "0123456789abcdef") : strspn(text, "0123456789abcdef");
        const size_t digits = strspn(text, "0123456789.");
        const bool exponent = digits && text[digits] == 'e' && strchr("+-", text[digits + 1]);
        const size_t number = digits + (exponent ? 2 + strspn(text + digits + 2, "0123456789") : 0);
        const bool point = memchr(text, '.', digits) && isdigit((unsigned char)text[digits - 1]);
        const size_t length = place || hash >= 16 ? hash : number ? number : 1;
        if (place || hash >= 16 || (number && (exponent || point)))
            fputc('#', out);
        else
            fwrite(text, 1, length, out);
        text += length;
    }
    fputc('\n', out);
}

/* ---- what a run has found ---- */

static void print_stage(FILE *out, const json_t *stage)
{
    const char *name = json_string_value(json_object_get(stage, "stage")),
               *verdict = json_string_value(json_object_get(stage, "verdict"));
    const json_t *findings = json_object_get(stage, "findings"), *finding,
                 *first = json_object_get(stage, "first_frame");
    size_t i;
    const bool substituted = json_is_true(json_object_get(stage, "substituted"));
    const json_int_t planned = json_integer_value(json_object_get(stage, "planned")),
                     compared = json_integer_value(json_object_get(stage, "compared"));
    const bool given_up = strcmp(verdict, "not judged") == 0 && planned == 1 && compared == 0 &&
                          json_array_size(findings) == 0;
    if (strcmp(verdict, "not applicable") == 0 || (strcmp(verdict, "same") == 0 && !substituted) ||
        given_up)
        return;
    fprintf(out, "  %s: %s", name, verdict);
    if (json_is_true(json_object_get(stage, "follows")))
        fprintf(out, ", follows");
    if (substituted)
        fprintf(out, ", substituted");
    if (json_is_integer(first))
        fprintf(out, ", from frame %lld", (long long)json_integer_value(first));
    fprintf(out, ", %lld of %lld", (long long)compared, (long long)planned);
    json_array_foreach(findings, i, finding)
    {
        const char *how = json_string_value(json_object_get(finding, "verdict"));
        const json_t *frame = json_object_get(finding, "frame");
        if (strcmp(how, "same") == 0 || strcmp(how, "within") == 0)
            continue;
        fprintf(out, "; %s %s", json_string_value(json_object_get(finding, "rule")), how);
        if (json_is_integer(frame))
            fprintf(out, " @%lld", (long long)json_integer_value(frame));
    }
    fputc('\n', out);
}

static void print_report(FILE *out, const char *path)
{
    json_t *report = json_load_file(path, 0, NULL);
    const json_t *cases = json_object_get(report, "cases"), *one, *stage;
    size_t i, s;
    assert_non_null(report);
    json_array_foreach(cases, i, one)
    {
        const char *sentence = json_string_value(json_object_get(one, "sentence"));
        if (json_array_size(cases) > 1)
            fprintf(out, "%s: ", json_string_value(json_object_get(one, "name")));
        fprintf(out, "%s: ", json_string_value(json_object_get(one, "verdict")));
        print_masked(out, sentence ? sentence : "");
        json_array_foreach(json_object_get(one, "stages"), s, stage) print_stage(out, stage);
    }
    json_decref(report);
}

static void run_command(FILE *out, const char *line)
{
    const bool reports = strncmp(line, "baseline", 8) != 0 && !strstr(line, "help");
    char *whole = text_format("%s%s", line, reports ? " --json r.json -y" : " --quiet");
    remove(cli_path("r.json"));
    const struct run *run = run_line(whole, -1);
    free(whole);
    fprintf(out, "[%d]", run->code);
    const char *last = strrchr(run->err, '\n') ? cli_last_message(run) : run->err;
    fputc(*last ? ' ' : '\n', out);
    if (*last)
        print_masked(out, last);
    if (reports && cli_exists("r.json"))
        print_report(out, cli_path("r.json"));
}

static void run_control(FILE *out, const char *name)
{
    static struct control_judge judge;
    struct control_verdict same, elsewhere = {.stage = -1};
    const struct control *control = choice_find(&all_controls, name);
    assert_non_null(control);
    assert_ok(control_judge_open(&judge));
    assert_ok(control_judge_make(&judge, control, 0, &same, &elsewhere));
    control_judge_close(&judge);
    assert_null(same.why_not);
    for (int i = 0; i < 2; i++) {
        const struct control_verdict *how = i == 0 ? &same : &elsewhere;
        fprintf(out, "%s: %s%s: ", i == 0 ? "bits" : "limits", verdict_name(how->verdict),
                how->found);
        print_masked(out, how->sentence);
    }
}

/* ---- films and baselines ---- */

#define SCENE      "-n 300 --size 128x72 --set simulation.force=exact --set output.threads=1 --quiet -y"
#define TURNED     "\0\0\0\0\0\x01\0\0\0\0\0\0\xff\xff\0\0\0\0\0\0"
#define FROM_FRAME "setts=pts=if(eq(N\\,4)\\,PTS-DURATION\\,if(eq(N\\,5)\\,PTS+DURATION\\,PTS))"

static void film(const char *name, const char *manifest, const char *settings)
{
    char *line = text_format("render %s " SCENE " --frames 12 %s -o %s --manifest %s", TWO_GALAXIES,
                             settings, name, manifest);
    run_line(line, 0);
    free(line);
}

static void changed(const char *in, const char *out, struct remux what)
{
    remux(cli_path(in), cli_path(out), &what);
}

static void patched(const char *name, const char *box, int skip, const char *with, int size)
{
    changed("film.mp4", name, (struct remux){0});
    patch_file(cli_path(name), box, skip, with, size);
}

static void make_films(void)
{
    film("film.mp4", "film.json", "");
    film("again.mp4", "again.json", "--set output.segment=6");
    film("seed.mp4", "seed.json", "--seed 2");
    film("copy.mp4", "copy.json", "--crf 24");
    film("coarse.mp4", "coarse.json", "--crf 45");
    film("dark.mp4", "dark.json", "--set look.exposure=0.2");
    film("speed.mp4", "speed.json", "--set look.color=speed");
    film("fast.mp4", "fast.json", "--fps 60");
    film("dt.mp4", "dt.json", "--set simulation.softening=0.152");
    film("archive.mkv", "archive.json", "--codec ffv1");
    film("deep.mkv", "deep.json", "--codec ffv1 --set output.bits=10");
    film("p/%03d.png", "p.json", "");
    film("black.mkv", "black.json", "--codec ffv1 --set look.exposure=1e-9");
    changed("archive.mkv", "dropped.mkv", (struct remux){.drop = 5});
    changed("archive.mkv", "repeated.mkv", (struct remux){.repeat = 5});
    changed("archive.mkv", "replaced.mkv", (struct remux){.repeat = 5, .drop = 10});
    changed("archive.mkv", "swapped.mkv", (struct remux){.swap = 7});
    changed("archive.mkv", "hole.mkv", (struct remux){.replace = 8, .from = cli_path("black.mkv")});
    changed("archive.mkv", "untold.mkv", (struct remux){.without_colours = true});
    changed("film.mp4", "same.mp4", (struct remux){0});
    changed("film.mp4", "late.mp4", (struct remux){.late = 6, .ticks = 1});
    changed("film.mp4", "order.mp4", (struct remux){.filter = FROM_FRAME});
    changed("film.mp4", "flipped.mp4", (struct remux){.flip = 4, .flip_at = 40});
    changed("film.mp4", "titled.mp4", (struct remux){.tag = "title", .value = "Mine"});
    changed("film.mp4", "hash.mp4", (struct remux){.tag = "gravreel_scene_hash", .value = "0"});
    changed("film.mp4", "state.mp4", (struct remux){.tag = "gravreel_last_state", .value = "0"});
    changed("film.mp4", "foreign.mp4", (struct remux){.tag = "gravreel_scene", .value = ""});
    patched("range.mp4", "colrnclx", 14, "\x80", 1);
    patched("aspect.mp4", "pasp", 4, "\0\0\0\x04\0\0\0\x03", 8);
    patched("turned.mp4", "tkhd", 44, TURNED, 20);
    patched("index.mp4", "stss", 12, "\0\0\0\x03", 4);
    cut_file(cli_path("film.mp4"), cli_path("cut.mp4"), 75);
    cli_write("words.mp4", "not a film");
}

/* Baselines c/NAME of another scene that claim to be of b's, as if the program had changed since;
 * those in e also claim to be from another platform. */
static const char *const claims[][2] = {
    {"seed", "--seed 2"},
    {"softening", "--set simulation.softening=0.152"},
    {"integrator", "--set simulation.integrator=dkd"},
    {"exposure", "--set look.exposure=0.5"},
    {"color", "--set look.color=speed"},
    {"elevation", "--set camera.elevation=50.2"},
    {"clock", "--set overlay.clock=false"},
    {"crf", "--crf 28"},
};

static void record(const char *folder, const char *name, const char *settings)
{
    char *line = text_format("baseline %s " SCENE " --frames 8 %s --name %s -o %s --because x",
                             TWO_GALAXIES, settings, name, folder);
    run_line(line, 0);
    free(line);
}

static void claim(const struct baseline *own, const char *name, bool elsewhere)
{
    static char other[] = "elsewhere";
    struct baseline claimed;
    char *path = text_format("%s/%s.json", elsewhere ? "e" : "c", name);
    assert_ok(baseline_read(&claimed, cli_path(path)));
    const struct origin origin = claimed.origin;
    const struct platform platform = claimed.record.platform;
    free(claimed.record.scene);
    free(claimed.record.scene_hash);
    claimed.record.scene = memory_text(own->record.scene);
    claimed.record.scene_hash = memory_text(own->record.scene_hash);
    claimed.origin = own->origin;
    if (elsewhere)
        claimed.record.platform = (struct platform){other, other, other, other, other};
    assert_ok(baseline_write(&claimed));
    claimed.origin = origin;
    claimed.record.platform = platform;
    baseline_free(&claimed);
    free(path);
}

static void make_baselines(void)
{
    struct baseline own;
    record("b", "film", "");
    assert_ok(baseline_read(&own, cli_path("b/film.json")));
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        record("c", claims[i][0], claims[i][1]);
    record("c", "honest", "");
    char *copy = text_format("cd %s && cp -r c e && cp -r b bare && rm -r bare/*.objects && "
                             "mkdir empty && cp -r b edited && sed -i 's/\"bodies\": 300/"
                             "\"bodies\": 301/' edited/film.json",
                             cli_folder);
    assert_int_equal(system(copy), 0);
    free(copy);
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        claim(&own, claims[i][0], false);
        claim(&own, claims[i][0], true);
    }
    claim(&own, "honest", true);
    baseline_free(&own);
    cli_write("limits.yaml", "picture.bits: {fail: never, because: x, measured: 8, expires: "
                             "2999-01-01}\n");
    cli_write("old.yaml",
              "picture.bits: {fail: 9, because: x, measured: 8, expires: 2001-01-01}\n");
}

/* ---- the list ---- */

static void verdicts_are_those_of_the_list(void **state)
{
    (void)state;
    const char *source = getenv("GRAVREEL_TEST_SOURCE");
    char *path = text_format("%s/tests/%s", source ? source : ".", list), *text, *now = NULL,
         *rest = NULL;
    size_t size;
    cli_need_gl();
    make_films();
    make_baselines();
    assert_ok(file_read(path, 1 << 20, &text, &size));
    char *before = memory_text(text);
    FILE *out = open_memstream(&now, &size);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (*line != '#' && *line != '$')
            continue;
        fprintf(out, "%s\n", line);
        if (strncmp(line, "$ control ", 10) == 0)
            run_control(out, line + 10);
        else if (*line == '$')
            run_command(out, line + 2);
    }
    fclose(out);
    if (renew)
        assert_ok(file_write(path, now, size));
    else if (strcmp(before, now) != 0) {
        cli_write("before", before);
        cli_write("now", now);
        char *show = text_format("diff -u %s/before %s/now", cli_folder, cli_folder);
        (void)!system(show);
        fail_msg("other verdicts than in tests/%s", list);
    }
    free(text), free(before), free(now), free(path);
}

static int set_up(void **state)
{
    unsetenv("CI");
    unsetenv("GRAVREEL_TEST_UPDATE");
    return cli_set_up(state);
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts_are_those_of_the_list)};
    renew = count == 2 && strcmp(words[1], "--write") == 0;
    return cmocka_run_group_tests(tests, set_up, cli_tear_down);
}
