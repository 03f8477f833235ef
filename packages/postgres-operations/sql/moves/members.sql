SELECT user_id AS "user" FROM memberships WHERE organization_id = ${organization}
