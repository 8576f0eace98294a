/* Upload of views to GL and read-back of planes, by both implementations. CUDA's runs on a fake
 * runtime. */
#include "tests/support/test.h"

#include "render/gl/context.h"
#include "render/gl/transfer.h"
#ifdef FAKE_CUDA
#include "tests/support/cuda/fake_cuda.h"
#endif

#include <string.h>

enum { SOURCES = 2, BODIES = 5, FRAMES = 6, WITH_COLUMNS = 1 /* source */ };

static struct bed {
    struct gl_context *context;
    struct body_buffers bodies[SOURCES];
    struct picture_layout layout;
    struct gl_target packed[TRANSFER_SLOTS][PICTURE_PLANES_MAX];
    const struct transfer_ops *ops;
    struct transfer *transfer;
    float position[FRAMES][SOURCES][BODIES][4], velocity[FRAMES][SOURCES][BODIES][4];
    struct view_place views;
    bool told; /* whether the column is constant, for this transfer */
    uint8_t *picture[FRAMES];
} bed;

static int open_bed(void **state)
{
    *state = NULL;
    bed.bodies[WITH_COLUMNS].names = (struct column_names){{"shared", "told", "constant"}, 3};
    if (gl_context_open(&bed.context, -1) != STATUS_OK) {
        print_message("no GL: %s\n", status_text());
        return 0;
    }
    assert_ok(gl_context_bind(bed.context));
    for (int i = 0; i < SOURCES; i++) {
        const struct column_names names = bed.bodies[i].names;
        body_buffers_create(&bed.bodies[i], BODIES, &names, false);
    }
    picture_layout(&bed.layout, PICTURE_YUV420P10, 23, 7);
    for (int slot = 0; slot < TRANSFER_SLOTS; slot++)
        for (int p = 0; p < bed.layout.planes; p++)
            assert_ok(gl_target_create(&bed.packed[slot][p], GL_RGBA8,
                                       (GLsizei)bed.layout.plane[p].stride / 4,
                                       (GLsizei)bed.layout.plane[p].rows));
    for (int i = 0; i < FRAMES * SOURCES * BODIES * 4; i++) {
        (&bed.position[0][0][0][0])[i] = (float)i;
        (&bed.velocity[0][0][0][0])[i] = (float)-i;
    }
    *state = &bed;
    return 0;
}

static int close_bed(void **state)
{
    if (!*state)
        return 0;
    for (int i = 0; i < SOURCES; i++)
        body_buffers_destroy(&bed.bodies[i]);
    for (int slot = 0; slot < TRANSFER_SLOTS; slot++)
        for (int p = 0; p < bed.layout.planes; p++)
            gl_target_destroy(&bed.packed[slot][p]);
    gl_context_unbind(bed.context);
    gl_context_close(&bed.context);
    return 0;
}

static void begin(const struct transfer_ops *ops)
{
    const struct transfer_params params = {.count = BODIES,
                                           .bodies = bed.bodies,
                                           .sources = SOURCES,
                                           .layout = bed.layout,
                                           .packed = bed.packed,
                                           .views = bed.views,
                                           .gl_device = 0};
    bed.ops = ops;
    bed.told = false;
    assert_ok(ops->open(&params, &bed.transfer));
    for (int f = 0; f < FRAMES; f++) {
        bed.picture[f] = ops->allocate(bed.layout.size);
        assert_non_null(bed.picture[f]);
        memset(bed.picture[f], 0xee, bed.layout.size);
    }
}

static void end(void)
{
    bed.ops->close(&bed.transfer);
    assert_null(bed.transfer);
    for (int f = 0; f < FRAMES; f++)
        bed.ops->release(bed.picture[f]);
    assert_ok(gl_check("the test"));
}

static void buffer_holds(GLuint buffer, const float *expected, size_t floats)
{
    float found[BODIES * 4];
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)(floats * sizeof *found), found);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    assert_memory_equal(found, expected, floats * sizeof *found);
}

/* One column in device memory, which for the fake runtime is the host's, one that changes each time
 * and one that is constant, in another order than the buffers. */
static void upload(int frame)
{
    struct view views[SOURCES];
    const enum view_memory shared = bed.views.memory;
    float *column = bed.velocity[frame][WITH_COLUMNS][0], *first = bed.position[0][WITH_COLUMNS][0];
    for (int i = 0; i < SOURCES; i++)
        views[i] =
            (struct view){.memory = bed.views.memory,
                          .device = bed.views.device,
                          .count = BODIES,
                          .position = bed.position[frame][i][0],
                          .velocity = bed.velocity[frame][i][0],
                          .columns = {{"constant", VIEW_HOST, true, bed.told ? column : first},
                                      {"shared", shared, false, column + 1},
                                      {"told", VIEW_HOST, false, column + 2}},
                          .column_count = 3,
                          .next = i + 1 < SOURCES ? &views[i + 1] : NULL};
    assert_ok(bed.ops->upload(bed.transfer, views));
    for (int i = 0; i < SOURCES; i++) {
        buffer_holds(bed.bodies[i].position, bed.position[frame][i][0], 4 * BODIES);
        buffer_holds(bed.bodies[i].velocity, bed.velocity[frame][i][0], 4 * BODIES);
    }
    bed.told = true;
    buffer_holds(bed.bodies[WITH_COLUMNS].columns[0], column + 1, BODIES);
    buffer_holds(bed.bodies[WITH_COLUMNS].columns[1], column + 2, BODIES);
    buffer_holds(bed.bodies[WITH_COLUMNS].columns[2], first, BODIES);
}

/* A view without a column that a buffer is for. */
static void a_column_is_missing(const struct transfer_ops *ops)
{
    struct view views[SOURCES];
    for (int i = 0; i < SOURCES; i++)
        views[i] = (struct view){.memory = VIEW_HOST,
                                 .device = -1,
                                 .count = BODIES,
                                 .frame = 7,
                                 .position = bed.position[0][i][0],
                                 .velocity = bed.velocity[0][i][0],
                                 .columns = {{"told", VIEW_HOST, false, bed.position[0][0][0]}},
                                 .column_count = 1,
                                 .next = i + 1 < SOURCES ? &views[i + 1] : NULL};
    assert_fails(ops->upload(bed.transfer, views), STATUS_RUNTIME, "bodies frame 7 shared");
}

/* Byte `b` of a texel of plane `p`. */
static uint8_t shade(int frame, int p, int b)
{
    return (uint8_t)(10 + 40 * frame + 13 * p + b);
}

static void submit(int frame)
{
    const int slot = frame % TRANSFER_SLOTS;
    upload(frame);
    for (int p = 0; p < bed.layout.planes; p++) {
        gl_target_bind(&bed.packed[slot][p]);
        glClearColor(shade(frame, p, 0) / 255.0f, shade(frame, p, 1) / 255.0f,
                     shade(frame, p, 2) / 255.0f, shade(frame, p, 3) / 255.0f);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    assert_ok(bed.ops->start(bed.transfer, slot, bed.picture[frame]));
    assert_ok(bed.ops->uploaded(bed.transfer));
}

static void wait_for(int frame)
{
    assert_ok(bed.ops->wait(bed.transfer, frame % TRANSFER_SLOTS));
    for (int p = 0; p < bed.layout.planes; p++) {
        const uint8_t *plane = bed.picture[frame] + bed.layout.plane[p].offset;
        for (size_t i = 0; i < (size_t)bed.layout.plane[p].stride * bed.layout.plane[p].rows; i++)
            assert_int_equal(plane[i], shade(frame, p, (int)(i % 4)));
    }
}

static void untouched(int frame)
{
    for (size_t i = 0; i < bed.layout.size; i++)
        assert_int_equal(bed.picture[frame][i], 0xee);
}

/* As in a film, as for a still, with views that are not drawn, and stopped in the middle. */
static void travel(const struct transfer_ops *ops)
{
    begin(ops);
    submit(0);
    for (int f = 1; f < FRAMES; f++) {
        submit(f);
        wait_for(f - 1);
    }
    wait_for(FRAMES - 1);
    end();
    begin(ops);
    for (int f = 0; f < FRAMES; f++) {
        upload((f + 3) % FRAMES);
        submit(f);
        untouched(f);
        wait_for(f);
    }
    end();
    begin(ops);
    for (int f = 0; f < FRAMES; f += 2) {
        for (int k = f; k < f + 2; k++) {
            submit(k);
            upload(0);
        }
        wait_for(f);
        wait_for(f + 1);
    }
    submit(0);
    end();
    begin(ops);
    a_column_is_missing(ops);
    end();
}

/* A buffer that is not used stays empty. */
static void holds_unless(bool unused, GLuint buffer, const float *expected, size_t floats)
{
    GLint bytes = 0;
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &bytes);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    assert_int_equal(bytes, unused ? 0 : floats * sizeof *expected);
    if (!unused)
        buffer_holds(buffer, expected, floats);
}

/* What is along a view's order is copied beside the bodies themselves, or alone. */
static void go_along(const struct transfer_ops *ops)
{
    static const struct transfer_range all = {0, BODIES};
    uint32_t order[BODIES] = {4, 2, 0, 1, 3};
    for (int alone = 0; alone < 2; alone++) {
        const struct column_names names = {{COLUMN_DISTANCE}, 1};
        struct body_buffers bodies = {0};
        body_buffers_create(&bodies, BODIES, &names, true);
        if (alone)
            body_buffers_only_along(&bodies);
        const struct transfer_params params = {.count = BODIES,
                                               .bodies = &bodies,
                                               .sources = 1,
                                               .drawn = &all,
                                               .drawn_count = 1,
                                               .layout = bed.layout,
                                               .packed = bed.packed,
                                               .views = bed.views,
                                               .gl_device = 0};
        assert_ok(ops->open(&params, &bed.transfer));
        struct view view = {
            .memory = bed.views.memory,
            .device = bed.views.device,
            .count = BODIES,
            .position = bed.position[1][0][0],
            .velocity = bed.velocity[1][0][0],
            .columns = {{COLUMN_DISTANCE, bed.views.memory, false, bed.velocity[2][0][0]}},
            .column_count = 1,
            .along = {bed.position[3][0][0], bed.velocity[3][0][0], bed.velocity[4][0][0]},
        };
        assert_fails(ops->upload(bed.transfer, &view), STATUS_RUNTIME, "have no order");
        ops->close(&bed.transfer);
        assert_ok(ops->open(&params, &bed.transfer));
        view.order = order;
        assert_ok(ops->upload(bed.transfer, &view));
        assert_ok(ops->uploaded(bed.transfer));
        buffer_holds(bodies.order, (const float *)order, BODIES);
        buffer_holds(bodies.along.position, view.along.position, 4 * BODIES);
        buffer_holds(bodies.along.velocity, view.along.velocity, 4 * BODIES);
        buffer_holds(bodies.along.distance, view.along.distance, BODIES);
        holds_unless(alone, bodies.position, view.position, 4 * BODIES);
        holds_unless(alone, bodies.velocity, view.velocity, 4 * BODIES);
        holds_unless(alone, bodies.columns[0], view.columns[0].value, BODIES);
        ops->close(&bed.transfer);
        body_buffers_destroy(&bodies);
    }
}

static void through_gl(void **state)
{
    if (!*state)
        outcome_skip(MISSING_GL, "see above");
    bed.views = (struct view_place){VIEW_HOST, -1};
    travel(&transfer_gl);
    go_along(&transfer_gl);
}

/* Two fields decide: the place of the views, and GL's device. */
static void the_way_is_chosen(void **state)
{
    (void)state;
    for (int gl = -1; gl <= 1; gl++) {
        assert_ptr_equal(transfer_choose(&(struct view_place){VIEW_HOST, -1}, gl), &transfer_gl);
        assert_ptr_equal(transfer_choose(&(struct view_place){VIEW_CUDA, 0}, gl),
                         gl < 0 ? &transfer_gl : &transfer_cuda);
        assert_ptr_equal(transfer_choose(&(struct view_place){VIEW_HOST, 0}, gl),
                         gl < 0 ? &transfer_gl : &transfer_cuda);
    }
}

#ifdef FAKE_CUDA
/* One device draws what another simulates, with all columns: positions and velocities of SOURCES,
 * and the one column in device memory. */
static void from_another_device(void **state)
{
    if (!*state)
        outcome_skip(MISSING_GL, "see above");
    const size_t bytes = (size_t)((const char *)(&bed.velocity + 1) - (const char *)&bed.position);
    bed.views = (struct view_place){VIEW_CUDA, 1};
    fake_cuda_on_second(&bed.position, bytes);
    for (enum fake_cuda_peers peers = FAKE_THROUGH_HOST; peers <= FAKE_STRAIGHT; peers++) {
        fake_cuda_set_peers(peers);
        fake_cuda_peer_copies();
        begin(&transfer_cuda);
        assert_int_equal(fake_cuda_peer_copies(), 0);
        submit(0);
        wait_for(0);
        assert_int_equal(fake_cuda_peer_copies(), 2 * SOURCES + 1);
        end();
        travel(&transfer_cuda);
    }
    fake_cuda_set_peers(FAKE_APART);
    const struct transfer_params params = {.count = BODIES,
                                           .bodies = bed.bodies,
                                           .sources = SOURCES,
                                           .layout = bed.layout,
                                           .packed = bed.packed,
                                           .views = bed.views,
                                           .gl_device = 0};
    assert_fails(transfer_cuda.open(&params, &bed.transfer), STATUS_RUNTIME,
                 "from the device that simulates");
    assert_null(bed.transfer);
    travel(&transfer_gl); /* what then is left */
    fake_cuda_on_second(NULL, 0);
    assert_int_equal(fake_cuda_alive(), 0);
}

static void through_cuda(void **state)
{
    if (!*state)
        outcome_skip(MISSING_GL, "see above");
    bed.views = (struct view_place){VIEW_CUDA, 0};
    travel(&transfer_cuda);
    go_along(&transfer_cuda);
    assert_int_equal(fake_cuda_alive(), 0);
}

/* As for a run, whose views are in host memory, on the device that would simulate. */
static void through_cuda_from_the_host(void **state)
{
    if (!*state)
        outcome_skip(MISSING_GL, "see above");
    bed.views = (struct view_place){VIEW_HOST, 0};
    travel(&transfer_cuda);
    assert_int_equal(fake_cuda_alive(), 0);
}

/* GL and CUDA wait for each other then. */
static void hands_change_once_a_frame(void **state)
{
    if (!*state)
        outcome_skip(MISSING_GL, "see above");
    bed.views = (struct view_place){VIEW_CUDA, 0};
    begin(&transfer_cuda);
    submit(0);
    fake_cuda_maps();
    for (int f = 1; f < FRAMES; f++) {
        submit(f);
        assert_int_equal(fake_cuda_mapped(), 0);
        untouched(f);
        wait_for(f - 1);
        assert_int_equal(fake_cuda_maps(), 1);
    }
    wait_for(FRAMES - 1);
    assert_int_equal(fake_cuda_maps(), 1);
    assert_int_equal(fake_cuda_mapped(), 0);
    end();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(through_gl),          cmocka_unit_test(the_way_is_chosen),
#ifdef FAKE_CUDA
        cmocka_unit_test(through_cuda),        cmocka_unit_test(hands_change_once_a_frame),
        cmocka_unit_test(from_another_device), cmocka_unit_test(through_cuda_from_the_host),
#endif
    };
    return cmocka_run_group_tests(tests, open_bed, close_bed);
}
