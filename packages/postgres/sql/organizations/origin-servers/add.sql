WITH written AS (
  INSERT INTO origin_servers
    (id, organization_id, name, name_key, protocol, address, address_key, port, request_hostname)
  VALUES (${id}, ${organizationId}, ${name}, ${nameKey}, ${protocol}, ${address}, ${addressKey}, ${port}, ${requestHostname})
  RETURNING id, organization_id, created_at, updated_at, revision
), recorded AS (
  INSERT INTO backend_revisions (backend_id, number, organization_id, kind, action, author, state)
  SELECT w.id, 1 + coalesce((SELECT max(number) FROM backend_revisions WHERE backend_id = w.id), 0), w.organization_id,
    ${kind}, ${action}, ${author}, ${state}::json
  FROM written AS w
)
SELECT created_at AS "createdAt", updated_at AS "updatedAt", revision FROM written
