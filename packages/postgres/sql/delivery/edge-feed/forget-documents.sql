DELETE FROM edge_documents AS d
WHERE d.published_at < now() - make_interval(secs => ${unusedSeconds})
  AND NOT EXISTS (SELECT FROM edge_zones AS z WHERE z.digest = d.digest)
