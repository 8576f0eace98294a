target_sources(sim PRIVATE)
