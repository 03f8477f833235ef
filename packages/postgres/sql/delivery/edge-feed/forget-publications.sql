DELETE FROM edge_publications WHERE id <= (SELECT max(id) FROM edge_publications) - ${publications}::bigint
