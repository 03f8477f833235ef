WITH added AS (
  INSERT INTO edge_document_formats (version) VALUES (${formatVersion}) ON CONFLICT (version) DO NOTHING RETURNING version
), former AS (
  DELETE FROM edge_document_formats AS f USING added AS a WHERE f.version <> a.version
)
INSERT INTO zone_publications_due (zone_id, turn_of) SELECT z.id, 0 FROM zones AS z, added
