-- Continues a walk, or starts the next one a day after the last; returns no row in between.
UPDATE clean_up_walks
SET position = coalesce(position, ${beginning}), began_at = CASE WHEN position IS NULL THEN now() ELSE began_at END
WHERE name = ${name} AND (position IS NOT NULL OR began_at <= now() - interval '1 day')
RETURNING position
