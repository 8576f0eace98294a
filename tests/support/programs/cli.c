#include "tests/support/test.h"

#include "tests/support/programs/cli.h"

#include "base/file.h"
#include "tests/support/films/sink_fixture.h"

#include <string.h>

char *cli_folder;
static struct run last;

int cli_set_up(void **state)
{
    (void)state;
    cli_folder = fixture_folder();
    return 0;
}

int cli_tear_down(void **state)
{
    (void)state;
    run_free(&last);
    fixture_remove_folder(cli_folder);
    return 0;
}

bool cli_has_gl(void)
{
    static int known = -1;
    if (known < 0) {
        struct run run;
        run_program(&run, NULL, ARGUMENTS("doctor"));
        known = run.code == STATUS_OK;
        if (run.code == STATUS_DEVICE)
            print_message("no GL: %s", run.err);
        else if (!known)
            print_message("%s%s", run.out, run.err);
        bool good = known || run.code == STATUS_DEVICE;
        run_free(&run);
        assert_true(good);
    }
    return known;
}

void cli_need_gl(void)
{
    if (!cli_has_gl())
        outcome_skip(MISSING_GL, "gravreel doctor says why");
}

void cli_need_memory(void)
{
#ifdef __SANITIZE_ADDRESS__
    outcome_skip(MISSING_ALLOCATOR, "freed memory is kept");
#endif
}

const struct run *cli_run(const char *const *environment, int code, const char *const *words)
{
    const struct run_options options = {.folder = cli_folder, .environment = environment};
    run_free(&last);
    run_program(&last, &options, words);
    if (last.timed_out || last.code != code) {
        print_message("gravreel");
        for (; *words; words++)
            print_message(" %s", *words);
        print_message("\n%s%s", last.out, last.err);
        fail_msg("ended with %d instead of %d%s", last.code, code,
                 last.timed_out ? ", after too long a time" : "");
    }
    return &last;
}

const char *cli_last_message(const struct run *run)
{
    static char message[8192];
    message[0] = '\0';
    for (const char *line = run->err; *line; line += *line == '\n') {
        const size_t length = strcspn(line, "\n"), name = strcspn(line, ":\n") + 2;
        if (strncmp(line, "gravreel", 8) == 0 && name < length) /* or "gravreel info: " */
            snprintf(message, sizeof message, "%.*s", (int)(length - name), line + name);
        line += length;
    }
    if (!*message)
        fail_msg("no message in '%s'", run->err);
    return message;
}

const char *cli_path(const char *name)
{
    static char paths[8][4096];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", cli_folder, name);
    return path;
}

void cli_write(const char *name, const char *text)
{
    assert_ok(file_write(cli_path(name), text, strlen(text)));
}

char *cli_read(const char *name)
{
    char *text;
    assert_ok(file_read(cli_path(name), (size_t)1 << 28, &text, NULL));
    return text;
}

bool cli_exists(const char *name)
{
    return file_exists(cli_path(name));
}
