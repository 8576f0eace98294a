#include "tests/support/test.h"

#include "tests/support/films/remux.h"

#include "base/file.h"

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <string.h>

enum { PACKETS_MAX = 1024, FILE_LIMIT = 1 << 28 };

struct film {
    AVFormatContext *in, *out;
    AVStream *from, *to;
    AVBSFContext *filter;
    AVPacket *packets[PACKETS_MAX];
    int count;
    int64_t frame; /* ticks */
};

#define ASSERT_AV(call)                                                                            \
    do {                                                                                           \
        int error_ = (call);                                                                       \
        if (error_ < 0)                                                                            \
            fail_msg("%s: %s", #call, av_err2str(error_));                                         \
    } while (0)

static void open_filter(struct film *film, const char *filter)
{
    ASSERT_AV(av_bsf_list_parse_str(filter ? filter : "null", &film->filter));
    ASSERT_AV(avcodec_parameters_copy(film->filter->par_in, film->from->codecpar));
    film->filter->time_base_in = film->from->time_base;
    ASSERT_AV(av_bsf_init(film->filter));
}

static void read_packets(struct film *film, const char *path, const char *filter)
{
    ASSERT_AV(avformat_open_input(&film->in, path, NULL, NULL));
    ASSERT_AV(avformat_find_stream_info(film->in, NULL));
    film->from = film->in->streams[0];
    open_filter(film, filter);
    AVPacket *packet = av_packet_alloc();
    bool more = true;
    while (more) {
        more = av_read_frame(film->in, packet) >= 0;
        if (more && packet->stream_index != film->from->index) {
            av_packet_unref(packet);
            continue;
        }
        ASSERT_AV(av_bsf_send_packet(film->filter, more ? packet : NULL));
        AVPacket *filtered = av_packet_alloc();
        while (av_bsf_receive_packet(film->filter, filtered) >= 0) {
            assert_true(film->count < PACKETS_MAX);
            film->packets[film->count++] = filtered;
            filtered = av_packet_alloc();
        }
        av_packet_free(&filtered);
    }
    av_packet_free(&packet);
    film->frame = av_rescale_q(1, av_inv_q(film->from->avg_frame_rate), film->from->time_base);
}

static void set_tag(struct film *film, const struct remux *change)
{
    av_dict_copy(&film->out->metadata, film->in->metadata, 0);
    if (!change->tag)
        return;
    const AVDictionaryEntry *there = av_dict_get(film->out->metadata, change->tag, NULL, 0);
    char name[64];
    snprintf(name, sizeof name, "%s", there ? there->key : change->tag);
    av_dict_set(&film->out->metadata, name, *change->value ? change->value : NULL, 0);
}

static void forget_colours(AVCodecParameters *codec)
{
    codec->color_range = AVCOL_RANGE_UNSPECIFIED;
    codec->color_space = AVCOL_SPC_UNSPECIFIED;
    codec->color_trc = AVCOL_TRC_UNSPECIFIED;
    codec->color_primaries = AVCOL_PRI_UNSPECIFIED;
}

static void open_out(struct film *film, const char *path, const struct remux *change)
{
    ASSERT_AV(avformat_alloc_output_context2(&film->out, NULL, NULL, path));
    film->to = avformat_new_stream(film->out, NULL);
    ASSERT_AV(avcodec_parameters_copy(film->to->codecpar, film->filter->par_out));
    film->to->codecpar->codec_tag = 0;
    if (change->without_colours)
        forget_colours(film->to->codecpar);
    if (change->full_range)
        film->to->codecpar->color_range = AVCOL_RANGE_JPEG;
    film->to->time_base = film->from->time_base;
    film->to->sample_aspect_ratio = film->from->sample_aspect_ratio;
    film->to->avg_frame_rate = film->to->r_frame_rate = film->from->avg_frame_rate;
    set_tag(film, change);
    film->out->flags |= AVFMT_FLAG_BITEXACT;
    ASSERT_AV(avio_open(&film->out->pb, path, AVIO_FLAG_WRITE));
    AVDictionary *options = NULL;
    if (strstr(film->out->oformat->name, "mp4") || strstr(film->out->oformat->name, "mov")) {
        const int rate = film->from->time_base.den;
        av_dict_set(&options, "movflags", "+faststart+use_metadata_tags+write_colr", 0);
        av_dict_set_int(&options, "movie_timescale", rate, 0);
        av_dict_set_int(&options, "video_track_timescale", rate, 0);
    }
    ASSERT_AV(avformat_write_header(film->out, &options));
    av_dict_free(&options);
}

static void take_data(AVPacket *to, const AVPacket *from)
{
    AVPacket *copy = av_packet_clone(from);
    av_packet_copy_props(copy, to);
    av_packet_unref(to);
    av_packet_move_ref(to, copy);
    av_packet_free(&copy);
}

static void replace(struct film *film, const struct remux *change)
{
    struct film other = {0};
    read_packets(&other, change->from, NULL);
    assert_true(other.count == film->count);
    take_data(film->packets[change->replace - 1], other.packets[change->replace - 1]);
    for (int i = 0; i < other.count; i++)
        av_packet_free(&other.packets[i]);
    av_bsf_free(&other.filter);
    avformat_close_input(&other.in);
}

static void shift_after(struct film *film, int index, int64_t by)
{
    const int64_t shown = film->packets[index]->pts;
    for (int i = 0; i < film->count; i++)
        if (film->packets[i]->pts > shown)
            film->packets[i]->pts += by;
    for (int i = index + 1; i < film->count; i++)
        film->packets[i]->dts += by;
}

static void change_data(struct film *film, const struct remux *change)
{
    if (change->swap > 0) {
        AVPacket *kept = av_packet_clone(film->packets[change->swap - 1]);
        take_data(film->packets[change->swap - 1], film->packets[change->swap]);
        take_data(film->packets[change->swap], kept);
        av_packet_free(&kept);
    }
    if (change->replace > 0)
        replace(film, change);
    if (change->flip > 0) {
        AVPacket *packet = film->packets[change->flip - 1];
        ASSERT_AV(av_packet_make_writable(packet));
        assert_true(change->flip_at > 0 && change->flip_at <= packet->size);
        packet->data[packet->size - change->flip_at] ^= 0x10;
    }
}

static void write_one(struct film *film, const AVPacket *packet, int64_t by)
{
    AVPacket *copy = av_packet_clone(packet);
    copy->pts += by;
    copy->dts += by;
    copy->stream_index = 0;
    av_packet_rescale_ts(copy, film->from->time_base, film->to->time_base);
    ASSERT_AV(av_write_frame(film->out, copy));
    av_packet_free(&copy);
}

/* No packet is shown before it is decoded. */
static void move_time(AVPacket *packet, int64_t ticks)
{
    packet->pts += ticks;
    packet->dts = packet->dts > packet->pts ? packet->pts : packet->dts;
}

void remux(const char *in, const char *out, const struct remux *change)
{
    struct film film = {0};
    av_log_set_level(AV_LOG_ERROR);
    read_packets(&film, in, change->filter);
    change_data(&film, change);
    open_out(&film, out, change);
    if (change->drop > 0)
        shift_after(&film, change->drop - 1, -film.frame);
    if (change->repeat > 0)
        shift_after(&film, change->repeat - 1, film.frame);
    if (change->late > 0)
        move_time(film.packets[change->late - 1], change->ticks);
    film.packets[film.count - 1]->duration += change->longer;
    for (int i = 0; i < film.count; i++) {
        if (i + 1 != change->drop)
            write_one(&film, film.packets[i], 0);
        if (i + 1 == change->repeat)
            write_one(&film, film.packets[i], film.frame);
    }
    ASSERT_AV(av_write_trailer(film.out));
    avio_closep(&film.out->pb);
    for (int i = 0; i < film.count; i++)
        av_packet_free(&film.packets[i]);
    av_bsf_free(&film.filter);
    avformat_free_context(film.out);
    avformat_close_input(&film.in);
}

void patch_file(const char *path, const char *what, int skip, const char *with, int size)
{
    char *bytes;
    size_t length;
    assert_ok(file_read(path, FILE_LIMIT, &bytes, &length));
    char *at = memmem(bytes, length, what, strlen(what));
    if (!at)
        fail_msg("'%s' holds no '%s'", path, what);
    memcpy(at + skip, with, (size_t)size);
    assert_ok(file_write(path, bytes, length));
    free(bytes);
}

void cut_file(const char *in, const char *out, int keep)
{
    char *bytes;
    size_t length;
    assert_ok(file_read(in, FILE_LIMIT, &bytes, &length));
    assert_ok(file_write(out, bytes, length * (size_t)keep / 100));
    free(bytes);
}
