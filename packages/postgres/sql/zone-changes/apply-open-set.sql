zone AS MATERIALIZED (
  -- Locks the zone before the change set, as everywhere.
  SELECT z.id FROM zones AS z WHERE z.id = ${zone} AND z.revision = ${revision} AND EXISTS (SELECT FROM membership)
  FOR UPDATE
), change_set AS MATERIALIZED (
  SELECT c.id FROM zone JOIN change_sets AS c ON c.zone_id = zone.id
  WHERE c.id = ${changeSet} AND c.revision = ${changeSetRevision} AND applied_at IS NULL AND ends_at > statement_timestamp()
  FOR UPDATE OF c
), 
