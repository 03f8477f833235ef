UPDATE challenges AS c SET attempts = c.attempts + 1
FROM users AS u
WHERE u.id = c.user_id AND /*part challenges/answerable*/
RETURNING c.user_id AS "userId", c.credentials_version AS "credentialsVersion"
