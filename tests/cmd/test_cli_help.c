/* Help texts of commands; shared options have the same meaning. */
#include "tests/support/test.h"

#include "base/memory.h"
#include "base/text.h"
#include "tests/support/programs/cli.h"

#include <stdlib.h>
#include <string.h>

/* The commands, one to a line with its description, as the program lists them; the caller frees it.
 */
static char *list_of_commands(void)
{
    const char *list = strstr(cli(0, "--help")->out, "\nCommands:\n");
    assert_non_null(list);
    list += strlen("\nCommands:\n");
    const char *end = strstr(list, "\n\n");
    assert_non_null(end);
    return text_format("%.*s", (int)(end + 1 - list), list);
}

static void check_help_of(const char *command)
{
    char *help = memory_text(cli(0, command, "--help")->out);
    assert_string_equal(cli(0, command, "-h")->out, help);
    assert_string_equal(cli(0, "help", command)->out, help);
    char *usage = text_format("Usage: gravreel %s ", command);
    assert_contains(help, usage);
    assert_contains(help, "\nMessages and help:\n");
    if (strcmp(command, "doctor") != 0)
        assert_contains(help, "\nExamples:\n  gravreel ");
    for (const char *line = help; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 88);
    free(usage);
    free(help);
}

TEST(help_is_one_page_in_all_spellings)
{
    char *list = list_of_commands(), *rest = list, name[32];
    int commands = 0;
    char doc;
    for (char *line; (line = strsep(&rest, "\n")) && *line; commands++) {
        if (sscanf(line, "  %31[a-z] %c", name, &doc) != 2)
            fail_msg("not a command with its description: '%s'", line);
        check_help_of(name);
    }
    assert_true(commands > 0);
    free(list);
    char *help = memory_text(cli(0, "still", "--help")->out);
    assert_string_equal(cli(0, "still", "-o", "x.png", "-h")->out, help);
    assert_string_equal(cli(0, "still", "-?")->out, help);
    free(help);
    help = memory_text(cli(0, "--help")->out);
    assert_string_equal(cli(0, "-h")->out, help);
    free(help);
    cli_fails(2, "html", "still", "--help=html");
    cli_fails(2, "--help", "render", "-o", "--help");
    cli_fails(2, "mean still", "help", "stil");
}

/* "  -n, --bodies=N  ..." with its text, of a command's help; the caller frees it. */
static char *option_of(const char *command, const char *name)
{
    const char *help = cli(0, command, "--help")->out;
    char *form = text_format("--%s", name);
    const char *at = strstr(help, form);
    while (at && at[strlen(form)] != '=' && at[strlen(form)] != ' ' && at[strlen(form)] != '\n')
        at = strstr(at + 1, form);
    free(form);
    if (!at)
        fail_msg("%s has no --%s", command, name);
    const char *end = at;
    do
        end += strcspn(end, "\n") + 1;
    while (strncmp(end, "               ", 15) == 0);
    return text_format("%.*s", (int)(end - at), at);
}

TEST(pictures_share_their_options)
{
    static const char *const shared[] = {"bodies", "seed",    "size",       "fps",
                                         "set",    "device",  "save-scene", "bodies-from",
                                         "quiet",  "backend", "log-level",  "overwrite"};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        char *render = option_of("render", shared[i]);
        char *still = option_of("still", shared[i]), *sheet = option_of("sheet", shared[i]);
        assert_string_equal(still, render);
        assert_string_equal(sheet, render);
        free(render);
        free(still);
        free(sheet);
    }
    assert_contains(cli(0, "still", "plummer", "--frames", "7", "--fps", "25", "--size", "64x32",
                        "--save-scene", "-")
                        ->out,
                    "frames: 7\n");
    assert_contains(cli(0, "sheet", "plummer", "--size", "64x32", "--save-scene", "-")->out,
                    "size: 64x32\n");
    cli_fails(2, "still", "still", "--frames", "1..2", "--at", "0", "-o", "x.png");
    cli_write("kept.yaml", "precious");
    cli_fails(2, "kept.yaml", "still", "--save-scene", "kept.yaml");
    cli_fails(2, "kept.yaml", "sheet", "--save-scene", "kept.yaml");
    char *kept = cli_read("kept.yaml");
    assert_string_equal(kept, "precious");
    free(kept);
}

TEST(the_version_says_what_was_built)
{
    const char *said = cli(0, "--version")->out;
    assert_memory_equal(said, "gravreel " GRAVREEL_VERSION "\n",
                        sizeof "gravreel " GRAVREEL_VERSION);
    assert_says(said, "commit CUDA MPI libavcodec drawing");
}

TEST(shells_are_told_what_may_follow)
{
    assert_contains(cli(0, "--complete", "")->out, "render\trender a scene");
    assert_string_equal(cli(0, "--complete", "rend")->out,
                        "render\trender a scene to a film or a PNG sequence\n");
    assert_string_equal(cli(0, "--complete", "nothing", "")->out, "");
    assert_contains(cli(0, "--complete", "render", "--s")->out, "--seed=\t");
    assert_lacks(cli(0, "--complete", "render", "--s")->out, "--frames");
    assert_string_equal(cli(0, "--complete", "render", "--chroma", "420")->out,
                        "420\tcolour at half the width and height, as every player expects\n");
    assert_contains(cli(0, "--complete", "render", "--set", "camera.")->out,
                    "camera.orbit=\tazimuth turned over the whole film\n");
    assert_string_equal(cli(0, "--complete", "still", "--set", "overlay.clock=t")->out,
                        "overlay.clock=true\n");
    assert_string_equal(cli(0, "--complete", "verify", "--backend=cu")->out, "--backend=cuda\n");
    assert_string_equal(cli(0, "--complete", "sheet", "-o", "")->out, ":files\n");
    assert_contains(cli(0, "--complete", "render", "-n", "8", "")->out, "plummer\t");
    assert_contains(cli(0, "--complete", "scenes", "--keys", "look.co")->out, "look.color\t");
}

/* Everything that can be written to a file can be written to the standard output. */
TEST(a_dash_is_the_standard_output)
{
    const struct run *run = cli(0, "render", "plummer", "-n", "9", "--save-scene", "-");
    assert_contains(run->out, "count: 9\n");
    cli_fails(2, "--save-scene standard output", "render", "-o", "-", "--save-scene", "-");
    cli_fails(2, "only one thing can go", "render", "-o", "-", "--manifest", "-");
    assert_false(cli_exists("-"));
    cli_need_gl();
    cli_fails(2, "only one thing can go", "render", "-o", "-", "--progress", "-");
    assert_contains(cli(0, "render", "plummer", "-n", "64", "--size", "64x64", "--frames", "4",
                        "-o", "p.mp4", "--progress", "-")
                        ->out,
                    "progress=end\n");
    run = cli(0, "still", "plummer", "-n", "64", "--size", "64x64", "--at", "0", "-o", "-");
    assert_true(run->out_size > 8);
    assert_memory_equal(run->out, "\x89PNG\r\n\x1a\n", 8);
    run = cli(0, "sheet", "plummer", "-n", "64", "--size", "64x64", "--frames", "4", "-o", "-");
    assert_memory_equal(run->out, "\x89PNG\r\n\x1a\n", 8);
    cli(0, "render", "plummer", "-n", "64", "--size", "64x64", "--frames", "4", "-o", "a.mp4");
    cli(0, "render", "a.mp4", "-o", "b.mp4");
    run = cli(0, "verify", "a.mp4", "--json", "-");
    assert_int_equal(run->out[0], '{');
    assert_int_equal(run->out[run->out_size - 2], '}');
    assert_contains(cli(0, "compare", "a.mp4", "b.mp4", "--markdown", "-")->out, "|");
    cli_fails(2, "twice", "compare", "a.mp4", "b.mp4", "--markdown", "-", "--json", "-");
    assert_false(cli_exists("-"));
}

TESTS(cli_set_up, cli_tear_down)
