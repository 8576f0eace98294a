target_sources(render PRIVATE codecs.c film_container.c film_info.c film_reader.c film_reader_pixels.c film_reader_png.c
  film_reader_video.c join.c join_check.c join_match.c join_reader.c
  sink.c sink_container.c sink_driver.c sink_encoder.c sink_frame.c sink_hash.c sink_libav.c
  sink_muxer.c sink_null.c sink_output.c sink_png.c sink_png_file.c sink_png_name.c sink_video.c)
target_link_libraries(render PRIVATE PkgConfig::LIBAV PkgConfig::PNG PkgConfig::XXHASH)
