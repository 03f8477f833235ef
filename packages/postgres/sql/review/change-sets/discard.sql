-- Rounded down, so that its time is over at once.
UPDATE change_sets SET ends_at = date_trunc('milliseconds', statement_timestamp()), updated_at = statement_timestamp(),
  revision = revision + 1
WHERE id = ${id} AND revision = ${revision} AND applied_at IS NULL AND ends_at > statement_timestamp()
RETURNING id
