/* The programs and devices of two films, compared part by part. */
#include "tests/support/test.h"
#include "tests/support/films/record_fixture.h"

#include "cmd/regression/judge/judge.h"

#include <string.h>

static void expect(const char *before, const char *now, const char *what, const char *a,
                   const char *b)
{
    struct report report = {0};
    struct case_report *one = report_add_case(&report, "film");
    environment_compare_text("drawing", before, now, one);
    assert_int_equal(one->environment_count, what != NULL);
    if (what) {
        assert_string_equal(one->environment[0].what, what);
        assert_string_equal(one->environment[0].before, a);
        assert_string_equal(one->environment[0].now, b);
    }
    report_free(&report);
}

TEST(test_parts)
{
    expect("llvmpipe (LLVM 15.0.6, 256 bits), Mesa 22.3.6",
           "llvmpipe (LLVM 15.0.6, 256 bits), Mesa 25.0.7", "Mesa", "22.3.6", "25.0.7");
    expect("llvmpipe (LLVM 15.0.6, 256 bits)", "llvmpipe (LLVM 15.0.6, 512 bits)", "bits", "256",
           "512");
    expect("H.264 (libx264 164 r3095), libavcodec 59", "H.264 (libx264 165 r3107), libavcodec 59",
           "libx264", "164 r3095", "165 r3107");
    expect("same 1", "same 1", NULL, NULL, NULL);
    expect("", "", NULL, NULL, NULL);
    expect(NULL, "", NULL, NULL, NULL);
}

TEST(test_other_parts)
{
    expect("llvmpipe, Mesa 22.3.6", "NVIDIA H200/PCIe", "drawing", "llvmpipe, Mesa 22.3.6",
           "NVIDIA H200/PCIe");
    expect("fast on cpu, 8 lanes", "fast on cuda, 8 lanes", "drawing", "fast on cpu, 8 lanes",
           "fast on cuda, 8 lanes"); /* words without a number are names */
    expect("", "Mesa 22", "drawing", "nothing", "Mesa 22");
    expect("a  1", "a 1", "drawing", "a  1", "a 1"); /* other text, same parts */
    expect(",,;;()", "x", "drawing", ",,;;()", "x");
    char long_text[4000];
    memset(long_text, ',', sizeof long_text - 1);
    for (size_t i = 0; i < sizeof long_text - 1; i += 2)
        long_text[i] = 'x';
    long_text[sizeof long_text - 1] = '\0';
    expect(long_text, "x", "drawing", long_text, "x");
}

TEST(test_records)
{
    struct record before, now;
    struct report report = {0};
    (void)state;
    record_fixture_make(&before, 1);
    record_fixture_make(&now, 1);
    struct case_report *one = report_add_case(&report, "film");
    environment_compare(&before, &now, one);
    assert_int_equal(one->environment_count, 0);
    record_fixture_text(&now.program, "gravreel 1.1.0");
    record_fixture_text(&now.platform.encoder, "H.264 (libx264 165), libavcodec 61.3.100");
    record_fixture_text(&now.libraries, "libavcodec 61.3.100, libavformat 59.27.100");
    environment_compare(&before, &now, one);
    static const char *const want[][3] = {
        {"gravreel", "1.0.0", "1.1.0"},
        {"libx264", "164", "165"},
        {"libavcodec", "59.37.100", "61.3.100"}, /* once, although two texts have it */
    };
    assert_int_equal(one->environment_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(one->environment[i].what, want[i][0]);
        assert_string_equal(one->environment[i].before, want[i][1]);
        assert_string_equal(one->environment[i].now, want[i][2]);
    }
    /* a commit that one of them does not know is not a difference */
    record_set_commit(&now, "4f1c2ab09d");
    environment_compare(&before, &now, one);
    assert_int_equal(one->environment_count, 3);
    record_set_commit(&before, "unknown");
    environment_compare(&before, &now, one);
    assert_int_equal(one->environment_count, 3);
    record_set_commit(&before, "0123456789+");
    environment_compare(&before, &now, one);
    assert_int_equal(one->environment_count, 4);
    assert_string_equal(one->environment[3].what, "commit");
    assert_string_equal(one->environment[3].before, "0123456789+");
    assert_string_equal(one->environment[3].now, "4f1c2ab09d");
    record_fixture_text(&now.device, "cuda, NVIDIA H200");
    environment_compare(&before, &now, one);
    assert_int_equal(one->environment_count, 5);
    assert_string_equal(one->environment[4].what, "device");
    record_fixture_text(&now.platform.physics, "fast on NVIDIA H200");
    struct case_report *other = report_add_case(&report, "with another device");
    environment_compare(&before, &now, other);
    for (uint32_t i = 0; i < other->environment_count; i++)
        assert_string_not_equal(other->environment[i].what, "device");
    report_free(&report);
    record_free(&before);
    record_free(&now);
}

TESTS(NULL, NULL)
