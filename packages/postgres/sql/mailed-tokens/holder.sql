SELECT t.user_id AS "userId"
FROM mailed_tokens AS t JOIN users AS u ON u.id = t.user_id
WHERE /*part mailed-tokens/redeemable*/
