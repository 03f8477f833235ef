SELECT user_id AS "userId" FROM provider_identities
WHERE issuer = ${issuer} AND subject = ${subject} OR provider = ${provider} AND subject = ${subject}
ORDER BY issuer = ${issuer} DESC NULLS LAST
LIMIT 1
