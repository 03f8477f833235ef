-- No zone needs a backend of which only the deletion is left; the next batch removes it.
DELETE FROM zone_backends WHERE backend_id = ANY (${deleted}::uuid[])
  AND (SELECT count(*) FROM (SELECT FROM backend_revisions AS r WHERE r.backend_id = zone_backends.backend_id LIMIT 2) AS few) = 1
