/* What manual pages are made of. Whether man and mandoc accept a page: tests/tree/test_manuals.sh.
 */
#include "tests/support/test.h"

#include "base/text.h"

static char *page;
static size_t page_size;

static FILE *begin(void)
{
    FILE *file = open_memstream(&page, &page_size);
    assert_non_null(file);
    return file;
}

static void assert_page(FILE *file, const char *want)
{
    fclose(file);
    assert_string_equal(page, want);
    free(page);
}

TEST(a_page_begins_with_its_name)
{
    FILE *file = begin();
    roff_title(file, "gravreel-join", 1, "joins `films`");
    roff_section(file, "see also");
    assert_page(file, ".TH GRAVREEL-JOIN 1 \"\" \"gravreel " GRAVREEL_VERSION "\" \"gravreel\"\n"
                      ".SH NAME\ngravreel\\-join \\- joins \\fBfilms\\fR\n.SH SEE ALSO\n");
}

/* Characters with a special meaning in roff are escaped. */
TEST(text_is_escaped)
{
    FILE *file = begin();
    roff_text(file, ".request");
    roff_text(file, "'request of `--bold` a\\b ~ ^ it's");
    roff_text(file, "`not ended");
    roff_text(file, "");
    roff_term(file, "--set=`k`");
    roff_literal(file, ".  a `b`");
    assert_page(file, "\\&.request\n"
                      "\\&\\(aqrequest of \\fB\\-\\-bold\\fR a\\eb \\(ti \\(ha it\\(aqs\n"
                      "\\fBnot ended\\fR\n"
                      ".TP\n\\fB\\-\\-set=\\(gak\\(ga\\fR\n"
                      "\\&.  a \\(gab\\(ga\n");
}

TEST(markdown_becomes_sections_terms_and_code)
{
    FILE *file = begin();
    roff_markdown(file, "# Scenes\n\nFirst.\n\nSecond.\n\n## Keys\n\n| key | meaning |\n|---|---|\n"
                        "| `fps` | frames per second |\n\n```yaml\n.a: -1\n```\n");
    assert_page(file, ".SH DESCRIPTION\nFirst.\n.PP\nSecond.\n.SH Keys\n"
                      ".TP\n\\fBfps\\fR\nframes per second\n"
                      ".PP\n.nf\n\\&.a: \\-1\n.fi\n");
}

TESTS(NULL, NULL)
