target_sources(render PRIVATE bloom.c body_array.c camera.c camera_centre.c camera_follow.c camera_moves.c camera_path.c camera_project.c renderer_camera.c
  cell_grid.c cell_map.c colour.c colour_map.c crowding.c draw_mode.c exposure.c gl_context.c gl_pass.c gl_util.c
  legend.c overlay.c overlay_energy.c overlay_ink.c overlay_legend.c overlay_lines.c overlay_plates.c overlay_text.c panel.c panel_places.c panel_set.c picture.c planes.c renderer.c scale.c sphere.c sprite_profile.c sprite_program.c sprite_samples.c sprite_size.c sprites.c
  transfer_gl.c $<IF:$<BOOL:${GRAVREEL_HAS_CUDA}>,transfer_cuda.c,transfer_none.c>)
target_link_libraries(render PRIVATE PkgConfig::GL PkgConfig::CGLM PkgConfig::CAIRO ${CMAKE_DL_LIBS})
if(GRAVREEL_HAS_CUDA)
  target_link_libraries(render PRIVATE CUDA::cudart_static)
endif()
foreach(shader sprite.vert sprite.frag sprite_place.glsl profile_soft.glsl profile_gaussian.glsl profile_plummer.glsl
        cells.vert cells.frag activity.glsl fullscreen.vert pass_fragment.glsl pass_compute.glsl look.glsl bloom_down.glsl bloom_up.glsl
        overlay.vert overlay.frag pack.glsl sphere.glsl
        colour_map.glsl colour_common.glsl colour_density.glsl colour_difference.glsl colour_velocity.glsl colour_speed.glsl colour_radial.glsl colour_acceleration.glsl
        colour_tint.glsl colour_constant.glsl)
  string(REPLACE "." "_" symbol "shader_${shader}")
  embed_text(render shaders/${shader} ${symbol})
endforeach()
