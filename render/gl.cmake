target_sources(render PRIVATE picture.c)
