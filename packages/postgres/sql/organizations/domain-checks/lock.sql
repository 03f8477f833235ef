-- Lock order: organization, then domain.
WITH organization AS MATERIALIZED (
  SELECT o.id FROM domains AS d JOIN organizations AS o ON o.id = d.organization_id WHERE d.id = ${id} FOR KEY SHARE OF o
)
SELECT d.id, d.organization_id AS "organizationId", d.name, d.proof, d.state, d.created_at AS "createdAt",
  d.state_since AS "updatedAt", d.checked_at AS "checkedAt", d.next_check_at AS "nextCheckAt",
  d.verified_at AS "verifiedAt", d.problem, d.problem_message AS "problemMessage", d.revision,
  extract(epoch FROM now() - d.created_at)::float8 AS "ageSeconds",
  extract(epoch FROM now() - d.state_since)::float8 AS "stateSeconds", d.misses,
  coalesce(extract(epoch FROM now() - d.missing_since), 0)::float8 AS "missingSeconds"
FROM domains AS d
WHERE d.id = ${id} AND (SELECT count(*) FROM organization) >= 0
FOR UPDATE
