UPDATE mailed_tokens AS t SET used_at = now()
FROM users AS u
WHERE u.id = t.user_id AND /*part mailed-tokens/redeemable*/
RETURNING t.user_id AS "userId", t.email_key AS "email"
