-- Continues a walk, or starts the next one some time after the last began; returns no row in between.
UPDATE clean_up_walks
SET position = coalesce(position, ${beginning}), began_at = CASE WHEN position IS NULL THEN now() ELSE began_at END
WHERE name = ${name} AND (position IS NOT NULL OR began_at <= now() - make_interval(secs => ${pauseSeconds}))
RETURNING position
