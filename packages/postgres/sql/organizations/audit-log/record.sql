INSERT INTO audit_log (action, actor_id, credential_id, organization_id, objects, network, user_agent)
VALUES (${action}, ${actor}, ${credential}, ${organization}, ${objects}, ${network}, ${userAgent})
