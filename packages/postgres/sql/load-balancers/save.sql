UPDATE load_balancers
SET name = ${name}, name_key = ${nameKey}, method = ${method}, request_hostname = ${requestHostname},
  updated_at = clock_timestamp(), revision = revision + 1
WHERE id = ${id}
RETURNING created_at AS "createdAt", updated_at AS "updatedAt", revision
