WITH maker AS (
  INSERT INTO edge_document_makers (maker) VALUES (${maker}) ON CONFLICT (maker) DO NOTHING RETURNING maker
), former AS (
  DELETE FROM edge_document_makers AS f USING maker AS m WHERE f.maker <> m.maker
)
INSERT INTO zone_publications_due (zone_id) SELECT z.id FROM zones AS z, maker
