/* The page of a command: which options of its parser it shows, in which order and form. */
#include "tests/support/test.h"

#include "cmd/cli/help/help_page.h"

#include <argp.h>
#include <string.h>

static char *filter(int key, const char *text, void *input)
{
    (void)input;
    return key == 'n' ? strdup("How many") : (char *)text;
}

TEST(options_are_shown_group_by_group)
{
    static const struct argp_option options[] = {
        {"level", 300, "a|b", 0, "Level", HELP_REPORTS},
        {"bodies", 'n', "N", 0, "?", HELP_SCENE},
        {"secret", 301, NULL, OPTION_HIDDEN, "Hidden", HELP_SCENE},
        {"color", 303, "WHEN", OPTION_ARG_OPTIONAL, "Colour", HELP_FILES},
        {0},
    };
    static const char *const forms[] = {"--color[=WHEN]", "-n, --bodies=N", "--level=a|b",
                                        "-h, --help[=man]", "--usage"};
    static const char *const docs[] = {"Colour", "How many", "Level"};
    const struct argp argp = {
        .options = options, .args_doc = "FILM", .doc = "Does it.\vNotes.", .help_filter = filter};
    struct help_page page;
    help_page_make(&page, &argp, "gravreel do");
    assert_string_equal(page.name, "gravreel do");
    assert_string_equal(page.words, "FILM");
    assert_string_equal(page.intro, "Does it.");
    assert_string_equal(page.rest, "Notes.");
    assert_int_equal(page.count, sizeof forms / sizeof *forms);
    for (size_t i = 0; i < page.count; i++) {
        char *form = help_row_form(&page.rows[i]);
        assert_string_equal(form, forms[i]);
        free(form);
        if (i < sizeof docs / sizeof *docs)
            assert_string_equal(page.rows[i].doc, docs[i]);
    }
    help_page_free(&page);
    assert_string_equal(help_group_title(HELP_RUN), "Running");
    assert_string_equal(help_group_title(99), "Options");
}

TESTS(NULL, NULL)
