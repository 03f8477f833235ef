SELECT EXISTS (SELECT FROM zone_publications_due) AS "isDue",
  EXISTS (SELECT FROM edge_zones WHERE is_pending AND NOT is_halted) AS "isPending",
  (SELECT max(id)::float8 FROM edge_publications) AS publication
