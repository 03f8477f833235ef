-- A token is sealed, or still in plain text.
SELECT id, CASE WHEN starts_with(ban_token, 'hmac.') THEN sealed_ban_token ELSE ban_token END AS "banToken"
FROM zones WHERE organization_id = ${organization}
