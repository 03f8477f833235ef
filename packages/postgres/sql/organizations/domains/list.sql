SELECT d.id, d.organization_id AS "organizationId", d.name, d.proof, d.state, d.created_at AS "createdAt",
  d.state_since AS "updatedAt", d.checked_at AS "checkedAt", d.next_check_at AS "nextCheckAt",
  d.verified_at AS "verifiedAt", d.problem, d.problem_message AS "problemMessage", d.revision
FROM domains AS d
WHERE d.organization_id = ${organization}
ORDER BY d.name
LIMIT ${limit} OFFSET ${offset}
