applied AS (
  UPDATE change_sets AS c SET applied_revision = head.revision, applied_by = ${user}, applied_at = statement_timestamp(),
    updated_at = statement_timestamp(), revision = c.revision + 1
  FROM head WHERE c.id = ${changeSet}
), 
