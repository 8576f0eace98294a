target_sources(render PRIVATE)
