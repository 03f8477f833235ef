DELETE FROM edge_states WHERE edge_id = ${edge}
