-- SKIP LOCKED: instances share the work instead of waiting for each other. Both times are rounded alike.
UPDATE domains AS d SET next_check_at = now() + make_interval(secs => ${leaseSeconds})
WHERE d.id = (
  SELECT id FROM domains WHERE next_check_at <= now()::timestamptz(3)
  ORDER BY next_check_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING d.id, d.organization_id AS "organizationId", d.name, d.proof, d.state, d.created_at AS "createdAt",
  d.state_since AS "updatedAt", d.checked_at AS "checkedAt", d.next_check_at AS "nextCheckAt",
  d.verified_at AS "verifiedAt", d.problem, d.problem_message AS "problemMessage", d.revision
