target_sources(sim PRIVATE
  bodies.c bodies_edit.c bodies_make.c bodies_lines.c bodies_rows.c bodies_table.c random.c
  model_disk.c model_galaxies.c model_plummer.c model_profile.c model_sphere.c)

# A fused multiply-add would change the last bit from one machine to the next.
set_source_files_properties(random.c
  model_disk.c model_galaxies.c model_plummer.c model_profile.c model_sphere.c
  PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
