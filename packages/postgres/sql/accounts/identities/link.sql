-- A change of the profile, so it raises its revision.
WITH linked AS (
  INSERT INTO provider_identities (id, user_id, provider, issuer, subject, email)
  VALUES (${id}, ${userId}, ${provider}, ${issuer}, ${subject}, ${email})
  ON CONFLICT DO NOTHING
  RETURNING user_id
)
UPDATE users AS u SET updated_at = clock_timestamp(), revision = revision + 1 FROM linked WHERE u.id = linked.user_id
RETURNING u.id
