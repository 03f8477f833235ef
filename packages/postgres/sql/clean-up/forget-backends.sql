-- Of a backend whose deletion is all that is left no zone needs to know; the next batch takes it away.
DELETE FROM zone_backends WHERE backend_id = ANY (${deleted}::uuid[])
  AND (SELECT count(*) FROM (SELECT FROM backend_revisions AS r WHERE r.backend_id = zone_backends.backend_id LIMIT 2) AS few) = 1
