-- Units that change an organization, its members or the number of its zones take turns, so that its limits hold.
SELECT id, name, enforce_two_factor AS "enforceTwoFactor", created_at AS "createdAt", updated_at AS "updatedAt", revision
FROM organizations
WHERE id = ${id}
FOR NO KEY UPDATE
