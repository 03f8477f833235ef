SELECT bytes FROM edge_documents WHERE digest = ${digest}
