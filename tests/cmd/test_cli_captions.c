/* --captions: tracks of a film and files beside pictures have the captions, in each language, at
 * the frames at which the picture would have them. */
#include "tests/support/test.h"

#include "base/memory.h"
#include "base/text.h"
#include "tests/support/programs/cli.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRACKS = 2, CUES = 2, FPS = 10 };

static const char scene[] =
    "bodies: {model: plummer, count: 64}\n"
    "overlay:\n"
    "  readable: false\n"
    "  language: en\n"
    "  captions:\n"
    "    - {text: \"First & last\", from: 0.22, to: 1.5, translations: \"de: Erste\\n  Zeile\"}\n"
    "    - {text: Second, from: 1.2, to: 1.9}\n"
    "output:\n  size: 64x36\n  fps: 10\n  frames: 20\n";

static const struct {
    double from, to;
    const char *text[TRACKS];
} wanted[CUES] = {{0.3, 1.2, {"First & last", "Erste\nZeile"}}, {1.2, 1.9, {"Second", "Second"}}};

/* The next caption of a track, between others. */
static void check_packet(const char *film, const AVStream *stream, const AVPacket *packet, size_t t,
                         size_t *cue)
{
    const size_t head = stream->codecpar->codec_id == AV_CODEC_ID_MOV_TEXT ? 2 : 0;
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)((size_t)packet->size - head), packet->data + head);
    if (!*text) /* the gap between two */
        return;
    assert_true(*cue < CUES);
    const double unit = av_q2d(stream->time_base), from = (double)packet->pts * unit;
    const double to = from + (double)packet->duration * unit;
    if (strcmp(text, wanted[*cue].text[t]) != 0 || fabs(from - wanted[*cue].from) > 0.5 / FPS ||
        fabs(to - wanted[*cue].to) > 0.5 / FPS)
        fail_msg("%s, track %zu: '%s' from %g to %g", film, t, text, from, to);
    ++*cue;
}

static void check_film(const char *film)
{
    static const char *const languages[TRACKS] = {"eng", "deu"};
    AVFormatContext *context = NULL;
    AVPacket *packet = av_packet_alloc();
    size_t cue[TRACKS] = {0};
    assert_true(avformat_open_input(&context, cli_path(film), NULL, NULL) == 0);
    assert_true(avformat_find_stream_info(context, NULL) >= 0);
    assert_int_equal(context->nb_streams, 1 + TRACKS);
    for (unsigned t = 0; t < TRACKS; t++) {
        const AVStream *stream = context->streams[1 + t];
        const AVDictionaryEntry *language = av_dict_get(stream->metadata, "language", NULL, 0);
        assert_true(stream->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE);
        assert_non_null(language);
        if (strcmp(language->value, languages[t]) != 0 && strcmp(language->value, "ger") != 0)
            fail_msg("%s, track %u is in %s", film, t, language->value);
    }
    while (av_read_frame(context, packet) == 0) {
        if (packet->stream_index > 0)
            check_packet(film, context->streams[packet->stream_index], packet,
                         (size_t)packet->stream_index - 1, &cue[packet->stream_index - 1]);
        av_packet_unref(packet);
    }
    assert_true(cue[0] == CUES && cue[1] == CUES);
    av_packet_free(&packet);
    avformat_close_input(&context);
}

TEST(tracks_of_films)
{
    cli_need_gl();
    static const char *const films[] = {"c.mp4", "c.mov", "c.mkv", "c.webm"};
    cli_write("captions.yaml", scene);
    for (size_t i = 0; i < sizeof films / sizeof *films; i++) {
        cli(0, "render", "captions.yaml", "-y", "-o", films[i], "--captions", "track");
        check_film(films[i]);
    }
    cli(0, "verify", "c.mp4");
    /* The picture of a track has no captions; that of both has. */
    cli(0, "render", "captions.yaml", "-y", "-o", "both.mp4", "--captions", "both");
    check_film("both.mp4");
    char *hashes[3];
    for (int i = 0; i < 3; i++) {
        char *text = text_format("%s%s", scene, i == 0 ? "  captions: track\n" : "");
        cli_write("captions.yaml", text);
        free(text);
        hashes[i] = memory_text(cli(0, "render", "captions.yaml", "--format", "hash", "-o", "-",
                                    "--set", i == 1 ? "overlay.captions=[]" : "output.frames=20")
                                    ->out);
    }
    assert_string_equal(hashes[0], hashes[1]);
    assert_string_not_equal(hashes[0], hashes[2]);
    for (int i = 0; i < 3; i++)
        free(hashes[i]);
}

/* Ranges have the captions of their frames, and joined they are the whole: here through a caption,
 * and where one begins; the first frames have none. */
TEST(tracks_of_ranges)
{
    cli_need_gl();
    static const char *const ends[] = {"mp4", "mov", "mkv", "webm"};
    static const char *const ranges[] = {"0..2", "3..6", "7..11", "12..19"};
    cli_write("captions.yaml", scene);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char name[5][16];
        snprintf(name[4], sizeof name[4], "joined.%s", ends[i]);
        for (int r = 0; r < 4; r++) {
            snprintf(name[r], sizeof name[r], "part%d.%s", r, ends[i]);
            cli(0, "render", "captions.yaml", "-y", "--captions", "track", "--frames", ranges[r],
                "-o", name[r]);
            cli(0, "verify", name[r]);
        }
        cli(0, "join", name[0], name[1], name[2], name[3], "-o", name[4]);
        check_film(name[4]);
        cli(0, "verify", name[4]);
    }
    cli(0, "render", "captions.yaml", "-y", "--frames", "3..6", "-o", "none.mp4");
    cli_fails(2, "caption tracks none.mp4 --captions", "join", "part0.mp4", "none.mp4", "part2.mp4",
              "part3.mp4", "-o", "mixed.mp4");
    /* Pictures of a range keep their numbers, and the captions their times. */
    assert_says(cli(0, "render", "captions.yaml", "--captions", "track", "--frames", "12..19", "-o",
                    "r%02d.png")
                    ->err,
                "times of the whole film");
    char *srt = cli_read("r.eng.srt");
    assert_true(strncmp(srt, "1\n00:00:00,300 --> 00:00:01,200\n", 32) == 0);
    free(srt);
}

TEST(files_beside_pictures)
{
    cli_need_gl();
    cli_write("captions.yaml", scene);
    cli(0, "render", "captions.yaml", "-y", "-o", "f%02d.png", "--captions", "track");
    char *vtt = cli_read("f.deu.vtt"), *srt = cli_read("f.eng.srt");
    assert_string_equal(vtt, "WEBVTT\n\n00:00:00.300 --> 00:00:01.200\nErste\nZeile\n\n"
                             "00:00:01.200 --> 00:00:01.900\nSecond\n\n");
    assert_string_equal(srt, "1\n00:00:00,300 --> 00:00:01,200\nFirst & last\n\n"
                             "2\n00:00:01,200 --> 00:00:01,900\nSecond\n\n");
    free(vtt);
    free(srt);
}

TEST(what_cannot_be)
{
    cli_write("captions.yaml", scene);
    cli_fails(2, "captions mp4, mov, mkv webm, not 'c.y4m' --captions burn", "render",
              "captions.yaml", "-o", "c.y4m", "--captions", "track");
    cli_fails(2, "overlay.language 'english' two or three letters", "render", "captions.yaml", "-o",
              "c.mp4", "--captions", "track", "--set", "overlay.language=english");
    cli_fails(2, "captions[1].translations 'Erste' LANGUAGE: TEXT", "render", "captions.yaml", "-o",
              "c.mp4", "--captions", "track", "--set",
              "overlay.captions=[{text: a, translations: Erste}]");
}

TESTS(cli_set_up, cli_tear_down)
