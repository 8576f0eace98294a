/* Exposures that follow a film: smooth, without oscillation, and the same after an interruption. */
#include "tests/support/test.h"

#include "render/gl/gl.h"
#include "render/post/exposure.h"
#include "tests/support/films/drawing.h"

#include <math.h>
#include <string.h>

enum { SIDE = 64, COUNT = 60, FPS = 30 };

struct reel {
    struct renderer *renderer;
    struct picture *picture;
    struct draw_group group;
};

static void open_reel(struct reel *reel)
{
    struct renderer_params params = usual(PICTURE_RGBA16, SIDE, SIDE);
    reel->group = *params.groups;
    reel->group.count = params.count = 10 * COUNT;
    params.groups = &reel->group;
    params.look.exposure.factor = 0;
    params.look.exposure.adapts = true;
    params.labels.fps = FPS;
    params.frames = 1000;
    assert_ok(renderer_open(&reel->renderer, &params));
    assert_ok(renderer_bind(reel->renderer));
    assert_ok(renderer_picture_create(reel->renderer, &reel->picture));
}

static void close_reel(struct reel *reel)
{
    renderer_picture_destroy(reel->renderer, &reel->picture);
    renderer_unbind(reel->renderer);
    renderer_close(&reel->renderer);
}

/* Bodies on a grid of COUNT places, `deep` at each; the rest are out of sight. */
static const struct view *bodies(int deep, uint64_t frame)
{
    for (int i = 0; i < 10 * COUNT; i++) {
        const int at = i % COUNT;
        const bool seen = i / COUNT < deep;
        place(i, SIDE, SIDE, seen ? 4 + 7 * (at % 8) : -5000, 4 + 7.5 * (at / 8));
    }
    return view_of(10 * COUNT, frame);
}

static double show(struct reel *reel, int deep, uint64_t frame)
{
    assert_ok(renderer_submit(reel->renderer, bodies(deep, frame), reel->picture));
    assert_ok(renderer_wait(reel->renderer));
    return renderer_exposure(reel->renderer);
}

/* The 99th percentile of the lit pixels becomes 5. */
TEST(the_brightest_hundredth_is_left_out)
{
    enum { EDGE = 20, LIT = 201 };
    static float light[EDGE * EDGE][4];
    need_gl(state);
    struct reel reel;
    struct gl_target target;
    struct exposure_reading reading;
    open_reel(&reel);
    assert_ok(gl_target_create(&target, GL_RGBA32F, EDGE, EDGE));
    for (int i = 0; i < LIT; i++)
        light[(i * 7) % (EDGE * EDGE)][i % 3] = (float)(i + 1);
    glBindTexture(GL_TEXTURE_2D, target.texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, EDGE, EDGE, GL_RGBA, GL_FLOAT, light);
    assert_ok(exposure_measure(&target, &tone_filmic, &(struct look_found){0}, &reading));
    assert_true(reading.factor == 5.0 / 199);
    for (int i = 0; i < EDGE * EDGE; i++) /* a faint picture, of which nothing is left out */
        for (int c = 0; c < 3; c++)
            light[i][c] *= 0x1p-12f;
    glBindTexture(GL_TEXTURE_2D, target.texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, EDGE, EDGE, GL_RGBA, GL_FLOAT, light);
    assert_ok(exposure_measure(&target, &tone_filmic, &(struct look_found){0}, &reading));
    assert_true(reading.factor == 5.0 / 199 * 0x1p12);
    gl_target_destroy(&target);
    close_reel(&reel);
}

TEST(a_constant_scene_keeps_its_exposure)
{
    need_gl(state);
    struct reel reel;
    open_reel(&reel);
    assert_ok(renderer_meter(reel.renderer, bodies(3, 0)));
    const double first = renderer_exposure(reel.renderer);
    assert_true(first > 0);
    for (uint64_t frame = 0; frame < 50; frame++)
        assert_true(show(&reel, 3, frame) == first);
    close_reel(&reel);
}

/* Ten times as bright from frame 20 to frame 320: the exposure goes to a tenth and back, without a
 * jump and without overshoot. */
TEST(it_follows_smoothly)
{
    need_gl(state);
    struct reel reel;
    open_reel(&reel);
    assert_ok(renderer_meter(reel.renderer, bodies(1, 0)));
    const double first = renderer_exposure(reel.renderer);
    double before = first, rate_before = 0;
    for (uint64_t frame = 0; frame < 620; frame++) {
        const bool bright = frame >= 20 && frame < 320;
        const double now = show(&reel, bright ? 10 : 1, frame), rate = log(now / before);
        /* At most 4.5 % a frame, and the rate itself has no jump. */
        if (fabs(rate) > 0.045 || fabs(rate - rate_before) > 0.012)
            fail_msg("from %g to %g at frame %d, a rate of %g after %g", before, now, (int)frame,
                     rate, rate_before);
        assert_true(now < 1.01 * first && now > 0.099 * first); /* never beyond the goal */
        if (bright && frame > 24)
            assert_true(rate <= 1e-9);
        if (frame > 330)
            assert_true(rate >= -1e-9);
        if (frame == 319)
            assert_true(fabs(now / first - 0.1) < 0.002);
        before = now;
        rate_before = rate;
    }
    assert_true(fabs(before / first - 1) < 0.02);
    close_reel(&reel);
}

/* Frames that are only observed count as well. */
TEST(it_goes_on_bit_for_bit)
{
    need_gl(state);
    struct reel reel;
    double through[80], state_then[RENDERER_STATE];
    uint8_t *kept;
    open_reel(&reel);
    assert_ok(renderer_meter(reel.renderer, bodies(1, 0)));
    for (uint64_t frame = 0; frame < 80; frame++) {
        if (frame == 37)
            renderer_state(reel.renderer, state_then);
        through[frame] = show(&reel, frame < 10 ? 1 : 5, frame);
    }
    kept = malloc(reel.picture->layout.size);
    assert_non_null(kept);
    memcpy(kept, reel.picture->data, reel.picture->layout.size);
    const size_t size = reel.picture->layout.size;
    close_reel(&reel);
    open_reel(&reel);
    renderer_resume(reel.renderer, state_then);
    for (uint64_t frame = 37; frame < 80; frame++)
        assert_true(show(&reel, 5, frame) == through[frame]);
    assert_memory_equal(kept, reel.picture->data, size);
    close_reel(&reel);
    open_reel(&reel);
    assert_ok(renderer_meter(reel.renderer, bodies(1, 0)));
    for (uint64_t frame = 0; frame < 79; frame++) {
        assert_ok(renderer_observe(reel.renderer, bodies(frame < 10 ? 1 : 5, frame)));
        assert_true(renderer_exposure(reel.renderer) == through[frame]);
    }
    assert_true(show(&reel, 5, 79) == through[79]);
    assert_memory_equal(kept, reel.picture->data, size);
    close_reel(&reel);
    free(kept);
}

TESTS(open_gl, NULL)
