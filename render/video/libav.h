/* libav's functions. The libraries are loaded at the first call of one, because linking them takes
 * longer than everything else that a short command does. A file that calls libav includes this
 * header; a function that is missing here is missing when the program is linked.
 *
 * A library that cannot be loaded ends the process with a sentence and the code of STATUS_DEVICE.
 * Calls are thread-safe; no process may be forked during the first. */
#pragma once

#include "render/picture/picture.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/pixfmt.h>
#include <libavutil/spherical.h>
#include <libavutil/stereo3d.h>
#include <stddef.h>

/* clang-format off */
#define LIBAV_CALLS(F) \
    F(av_buffer_pool_get) F(av_buffer_pool_init) F(av_buffer_pool_uninit) \
    F(av_chroma_location_name) F(av_color_primaries_name) F(av_color_range_name) \
    F(av_color_space_name) F(av_color_transfer_name) F(av_content_light_metadata_alloc) \
    F(av_dict_count) F(av_dict_free) F(av_dict_get) F(av_dict_parse_string) F(av_dict_set) \
    F(av_dict_set_int) F(av_find_best_stream) F(av_frame_alloc) F(av_frame_clone) \
    F(av_frame_free) F(av_frame_get_buffer) F(av_frame_unref) F(av_free) F(av_freep) F(av_gcd) \
    F(av_get_pix_fmt_name) F(av_guess_format) F(av_guess_sample_aspect_ratio) \
    F(av_image_check_size) F(av_image_copy_plane) F(av_image_fill_linesizes) \
    F(av_image_fill_pointers) F(av_image_get_buffer_size) F(av_image_get_linesize) \
    F(av_log_set_callback) F(av_malloc) F(av_mastering_display_metadata_alloc) F(av_new_packet) \
    F(av_opt_find) F(av_opt_get_double) F(av_opt_set) F(av_opt_set_dict2) F(av_opt_set_dict_val) \
    F(av_packet_alloc) F(av_packet_free) F(av_packet_get_side_data) F(av_packet_rescale_ts) F(av_packet_side_data_name) \
    F(av_packet_unref) F(av_pix_fmt_count_planes) F(av_pix_fmt_desc_get) F(av_read_frame) \
    F(av_read_image_line2) F(av_reduce) F(av_rescale_q) F(av_rescale_q_rnd) F(av_seek_frame) \
    F(av_set_options_string) F(av_spherical_alloc) F(av_stereo3d_alloc) \
    F(av_stream_add_side_data) F(av_stream_get_side_data) F(av_strerror) F(av_write_frame) \
    F(av_write_trailer) F(avcodec_alloc_context3) F(avcodec_find_decoder) \
    F(avcodec_find_decoder_by_name) F(avcodec_find_encoder_by_name) F(avcodec_flush_buffers) \
    F(avcodec_free_context) F(avcodec_get_name) F(avcodec_open2) F(avcodec_parameters_alloc) \
    F(avcodec_parameters_copy) F(avcodec_parameters_free) F(avcodec_parameters_from_context) \
    F(avcodec_parameters_to_context) F(avcodec_profile_name) F(avcodec_receive_frame) \
    F(avcodec_receive_packet) F(avcodec_send_frame) F(avcodec_send_packet) F(avcodec_version) \
    F(avformat_alloc_output_context2) F(avformat_close_input) F(avformat_find_stream_info) \
    F(avformat_free_context) F(avformat_index_get_entry_from_timestamp) F(avformat_new_stream) \
    F(avformat_open_input) F(avformat_query_codec) F(avformat_version) F(avformat_write_header) \
    F(avio_alloc_context) F(avio_close_dyn_buf) F(avio_context_free) F(avio_flush) \
    F(avio_open_dyn_buf)
/* clang-format on */

#define LIBAV_MEMBER(name) __typeof__(name) *name;
struct libav_calls {
    LIBAV_CALLS(LIBAV_MEMBER)
};
#undef LIBAV_MEMBER

const struct libav_calls *libav(void);

#define av_buffer_pool_get                      (libav()->av_buffer_pool_get)
#define av_buffer_pool_init                     (libav()->av_buffer_pool_init)
#define av_buffer_pool_uninit                   (libav()->av_buffer_pool_uninit)
#define av_chroma_location_name                 (libav()->av_chroma_location_name)
#define av_color_primaries_name                 (libav()->av_color_primaries_name)
#define av_color_range_name                     (libav()->av_color_range_name)
#define av_color_space_name                     (libav()->av_color_space_name)
#define av_color_transfer_name                  (libav()->av_color_transfer_name)
#define av_content_light_metadata_alloc         (libav()->av_content_light_metadata_alloc)
#define av_dict_count                           (libav()->av_dict_count)
#define av_dict_free                            (libav()->av_dict_free)
#define av_dict_get                             (libav()->av_dict_get)
#define av_dict_parse_string                    (libav()->av_dict_parse_string)
#define av_dict_set                             (libav()->av_dict_set)
#define av_dict_set_int                         (libav()->av_dict_set_int)
#define av_find_best_stream                     (libav()->av_find_best_stream)
#define av_frame_alloc                          (libav()->av_frame_alloc)
#define av_frame_clone                          (libav()->av_frame_clone)
#define av_frame_free                           (libav()->av_frame_free)
#define av_frame_get_buffer                     (libav()->av_frame_get_buffer)
#define av_frame_unref                          (libav()->av_frame_unref)
#define av_free                                 (libav()->av_free)
#define av_freep                                (libav()->av_freep)
#define av_gcd                                  (libav()->av_gcd)
#define av_get_pix_fmt_name                     (libav()->av_get_pix_fmt_name)
#define av_guess_format                         (libav()->av_guess_format)
#define av_guess_sample_aspect_ratio            (libav()->av_guess_sample_aspect_ratio)
#define av_image_check_size                     (libav()->av_image_check_size)
#define av_image_copy_plane                     (libav()->av_image_copy_plane)
#define av_image_fill_linesizes                 (libav()->av_image_fill_linesizes)
#define av_image_fill_pointers                  (libav()->av_image_fill_pointers)
#define av_image_get_buffer_size                (libav()->av_image_get_buffer_size)
#define av_image_get_linesize                   (libav()->av_image_get_linesize)
#define av_log_set_callback                     (libav()->av_log_set_callback)
#define av_malloc                               (libav()->av_malloc)
#define av_mastering_display_metadata_alloc     (libav()->av_mastering_display_metadata_alloc)
#define av_new_packet                           (libav()->av_new_packet)
#define av_opt_find                             (libav()->av_opt_find)
#define av_opt_get_double                       (libav()->av_opt_get_double)
#define av_opt_set                              (libav()->av_opt_set)
#define av_opt_set_dict2                        (libav()->av_opt_set_dict2)
#define av_opt_set_dict_val                     (libav()->av_opt_set_dict_val)
#define av_packet_alloc                         (libav()->av_packet_alloc)
#define av_packet_free                          (libav()->av_packet_free)
#define av_packet_get_side_data                 (libav()->av_packet_get_side_data)
#define av_packet_rescale_ts                    (libav()->av_packet_rescale_ts)
#define av_packet_side_data_name                (libav()->av_packet_side_data_name)
#define av_packet_unref                         (libav()->av_packet_unref)
#define av_pix_fmt_count_planes                 (libav()->av_pix_fmt_count_planes)
#define av_pix_fmt_desc_get                     (libav()->av_pix_fmt_desc_get)
#define av_read_frame                           (libav()->av_read_frame)
#define av_read_image_line2                     (libav()->av_read_image_line2)
#define av_reduce                               (libav()->av_reduce)
#define av_rescale_q                            (libav()->av_rescale_q)
#define av_rescale_q_rnd                        (libav()->av_rescale_q_rnd)
#define av_seek_frame                           (libav()->av_seek_frame)
#define av_set_options_string                   (libav()->av_set_options_string)
#define av_spherical_alloc                      (libav()->av_spherical_alloc)
#define av_stereo3d_alloc                       (libav()->av_stereo3d_alloc)
#define av_stream_add_side_data                 (libav()->av_stream_add_side_data)
#define av_stream_get_side_data                 (libav()->av_stream_get_side_data)
#define av_strerror                             (libav()->av_strerror)
#define av_write_frame                          (libav()->av_write_frame)
#define av_write_trailer                        (libav()->av_write_trailer)
#define avcodec_alloc_context3                  (libav()->avcodec_alloc_context3)
#define avcodec_find_decoder                    (libav()->avcodec_find_decoder)
#define avcodec_find_decoder_by_name            (libav()->avcodec_find_decoder_by_name)
#define avcodec_find_encoder_by_name            (libav()->avcodec_find_encoder_by_name)
#define avcodec_flush_buffers                   (libav()->avcodec_flush_buffers)
#define avcodec_free_context                    (libav()->avcodec_free_context)
#define avcodec_get_name                        (libav()->avcodec_get_name)
#define avcodec_open2                           (libav()->avcodec_open2)
#define avcodec_parameters_alloc                (libav()->avcodec_parameters_alloc)
#define avcodec_parameters_copy                 (libav()->avcodec_parameters_copy)
#define avcodec_parameters_free                 (libav()->avcodec_parameters_free)
#define avcodec_parameters_from_context         (libav()->avcodec_parameters_from_context)
#define avcodec_parameters_to_context           (libav()->avcodec_parameters_to_context)
#define avcodec_profile_name                    (libav()->avcodec_profile_name)
#define avcodec_receive_frame                   (libav()->avcodec_receive_frame)
#define avcodec_receive_packet                  (libav()->avcodec_receive_packet)
#define avcodec_send_frame                      (libav()->avcodec_send_frame)
#define avcodec_send_packet                     (libav()->avcodec_send_packet)
#define avcodec_version                         (libav()->avcodec_version)
#define avformat_alloc_output_context2          (libav()->avformat_alloc_output_context2)
#define avformat_close_input                    (libav()->avformat_close_input)
#define avformat_find_stream_info               (libav()->avformat_find_stream_info)
#define avformat_free_context                   (libav()->avformat_free_context)
#define avformat_index_get_entry_from_timestamp (libav()->avformat_index_get_entry_from_timestamp)
#define avformat_new_stream                     (libav()->avformat_new_stream)
#define avformat_open_input                     (libav()->avformat_open_input)
#define avformat_query_codec                    (libav()->avformat_query_codec)
#define avformat_version                        (libav()->avformat_version)
#define avformat_write_header                   (libav()->avformat_write_header)
#define avio_alloc_context                      (libav()->avio_alloc_context)
#define avio_close_dyn_buf                      (libav()->avio_close_dyn_buf)
#define avio_context_free                       (libav()->avio_context_free)
#define avio_flush                              (libav()->avio_flush)
#define avio_open_dyn_buf                       (libav()->avio_open_dyn_buf)

/* libav's log and errors in the program's own terms. */

/* Sends libav's log to base/log at the debug level and keeps each thread's last error message.
 * Call before any other use of libav; idempotent and thread-safe. */
void libav_prepare(void);

/* Clears this thread's messages; call before an operation that may fail. */
void libav_forget(void);

/* Why a libav call that returned `error` failed: this thread's message, otherwise libav's text for
 * the code. Per-thread buffer. */
const char *libav_reason(int error);

/* This thread's last error message since libav_forget, NULL if there was none: decoders conceal
 * damage that they have reported. Valid until the next call of libav. */
const char *libav_complaint(void);

/* This thread's first warning or error since libav_forget, NULL if there was none. Per-thread
 * buffer. */
const char *libav_warning(void);

/* This thread's first warning or error since libav_forget that contains `word` as a word, NULL if
 * there was none. Per-thread buffer. */
const char *libav_warning_about(const char *word);

/* libav's name for our pixel format. */
enum AVPixelFormat libav_pixel_format(enum picture_format format);

/* "libavcodec 59.37.100, libavformat 59.27.100": the loaded versions. */
void libav_versions(char *out, size_t size);
