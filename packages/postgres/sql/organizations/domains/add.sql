INSERT INTO domains AS d (id, organization_id, name, proof, next_check_at)
VALUES (${id}, ${organizationId}, ${name}, ${proof}, now() + make_interval(secs => ${firstCheckSeconds}))
ON CONFLICT ON CONSTRAINT domains_name_unique DO NOTHING
RETURNING d.id, d.organization_id AS "organizationId", d.name, d.proof, d.state, d.created_at AS "createdAt",
  d.state_since AS "updatedAt", d.checked_at AS "checkedAt", d.next_check_at AS "nextCheckAt",
  d.verified_at AS "verifiedAt", d.problem, d.problem_message AS "problemMessage", d.revision
