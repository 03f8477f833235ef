UPDATE domains AS d SET
  state = ${state}, state_since = CASE WHEN d.state = ${state} THEN d.state_since ELSE now() END,
  verified_at = CASE WHEN d.state <> ${state} AND ${isVerified} THEN now() ELSE d.verified_at END,
  checked_at = now(), next_check_at = now() + make_interval(secs => ${nextCheckSeconds}),
  problem = ${problem}, problem_message = ${problemMessage},
  misses = ${misses}, missing_since = CASE WHEN ${misses} > 0 THEN coalesce(d.missing_since, now()) END,
  revision = d.revision + 1
WHERE d.id = ${id}
RETURNING d.id, d.organization_id AS "organizationId", d.name, d.proof, d.state, d.created_at AS "createdAt",
  d.state_since AS "updatedAt", d.checked_at AS "checkedAt", d.next_check_at AS "nextCheckAt",
  d.verified_at AS "verifiedAt", d.problem, d.problem_message AS "problemMessage", d.revision
