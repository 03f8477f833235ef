INSERT INTO audit_log (action, organization_id, objects, user_agent)
VALUES (${action}, ${organization}, ${objects:json}, ${userAgent})
