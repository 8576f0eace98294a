/* Frames with equal packets: never one that a differing packet may affect. */
#include "tests/support/test.h"

#include "render/reader/stream.h"

#include <stdio.h>
#include <string.h>

enum { FRAMES = 12 };

static struct stream_packet of_a[FRAMES], of_b[FRAMES];
static struct stream a, b;
static uint8_t same[FRAMES];

/* Three groups of four: a key frame, then one that is decoded before those shown before it. */
static void fill(void)
{
    static const uint64_t places[] = {0, 2, 3, 1};
    for (size_t i = 0; i < FRAMES; i++) {
        of_a[i] = (struct stream_packet){.shown = (int64_t)i,
                                         .bytes = 100 + i,
                                         .decoded = i - i % 4 + places[i % 4],
                                         .key = i % 4 == 0,
                                         .plain = true};
        snprintf(of_a[i].hash, sizeof of_a[i].hash, "%zu", i);
        of_b[i] = of_a[i];
    }
    a = (struct stream){.count = FRAMES, .packets = of_a, .setup = "same"};
    b = (struct stream){.count = FRAMES, .packets = of_b, .setup = "same"};
}

static void assert_found(const char *wanted)
{
    uint64_t expected = 0;
    const uint64_t found = shared_find(&a, &b, FRAMES, same);
    for (int i = 0; i < FRAMES; i++) {
        assert_int_equal(same[i], wanted[i] == '1');
        expected += wanted[i] == '1';
    }
    assert_int_equal(found, expected);
}

TEST(equal_packets_are_equal_frames)
{
    fill();
    assert_found("111111111111");
}

TEST(what_follows_a_difference_is_not)
{
    fill();
    strcpy(of_b[5].hash, "x"); /* decoded after 7, as number 6 */
    assert_found("111110011111");
    fill();
    of_b[7].bytes++; /* decoded before 5 and 6 */
    assert_found("111110001111");
    fill();
    strcpy(of_b[4].hash, "x");
    assert_found("111100001111");
    fill();
    strcpy(of_b[0].hash, "x");
    assert_found("000011111111");
    fill();
    of_b[8].plain = false;
    assert_found("111111110000");
    fill();
    of_b[8].key = false;
    assert_found("111111110000");
}

/* Frames before a key frame that are decoded after it may need the group before. */
TEST(leading_frames_need_the_group_before)
{
    fill();
    for (int i = 0; i < FRAMES; i++) {
        of_a[i].key = of_b[i].key = i == 0 || i == 7;
        of_b[i].hash[0] = i == 2 ? 'x' : of_b[i].hash[0];
    }
    /* decoded: 0 3 1 2 | 4 7 5 6 | 8 11 9 10; 7 is key, 5 and 6 are shown before it */
    assert_found("110100011111");
}

TEST(other_decoders_or_places_share_nothing)
{
    fill();
    strcpy(b.setup, "other");
    assert_found("000000000000");
    fill();
    for (int i = 0; i < FRAMES; i++)
        of_a[i].key = of_b[i].key = false; /* no frame to begin at */
    assert_found("000000000000");
    fill();
    b.count = 8;
    assert_found("111111110000");
    fill();
    of_b[1].decoded = 3; /* the same packets, in another order */
    of_b[2].decoded = 2;
    assert_found("100111111111");
}

TESTS(NULL, NULL)
