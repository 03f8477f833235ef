SELECT c.user_id AS "userId"
FROM challenges AS c JOIN users AS u ON u.id = c.user_id
WHERE /*part challenges/answerable*/
