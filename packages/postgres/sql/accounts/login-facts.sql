SELECT id AS "userId", password_hash AS "passwordHash", credentials_version AS "credentialsVersion",
  active AND email_verified_at IS NOT NULL AS "inGoodStanding"
FROM users WHERE email_key = ${emailKey}
