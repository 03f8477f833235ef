SELECT EXISTS (SELECT FROM zone_publications_due) AS "isDue",
  EXISTS (SELECT FROM edge_zones WHERE is_pending AND NOT is_halted)
    OR EXISTS (SELECT FROM edge_zones WHERE current_since IS NULL OR current_since < published_at) AS "isPending",
  (SELECT max(id)::float8 FROM edge_publications) AS publication
