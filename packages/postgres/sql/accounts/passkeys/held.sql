SELECT p.id, p.user_id AS "userId", p.credential_id AS "credentialId", p.public_key AS "publicKey",
  u.credentials_version AS "credentialsVersion", u.active AND u.email_verified_at IS NOT NULL AS "inGoodStanding"
FROM passkeys AS p JOIN users AS u ON u.id = p.user_id
WHERE p.credential_id = ${credential}
