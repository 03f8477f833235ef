INSERT INTO load_balancers (id, organization_id, name, name_key, method, request_hostname)
VALUES (${id}, ${organizationId}, ${name}, ${nameKey}, ${method}, ${requestHostname})
RETURNING created_at AS "createdAt", updated_at AS "updatedAt", revision
