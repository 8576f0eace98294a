target_sources(sim PRIVATE bodies.c)
