-- Marks a change set without effect as applied, on the same conditions; the zone keeps its revision.
WITH <%~ include('@locked-membership') %>, <%~ include('@open-change-set') %>, applied AS (
  UPDATE change_sets AS c SET applied_revision = ${revision}, applied_by = ${user}, applied_at = statement_timestamp(),
    updated_at = statement_timestamp(), revision = c.revision + 1
  FROM change_set WHERE c.id = change_set.id
  RETURNING c.id
), audit AS (
  INSERT INTO audit_log (action, actor_id, credential_id, organization_id, objects, network, user_agent)
  SELECT ${action}, ${user}, ${credential}, ${organization}, ${auditObjects}, ${network}, ${userAgent} FROM applied
)
SELECT statement_timestamp()::timestamptz(3) AS at, NULL AS version FROM applied
