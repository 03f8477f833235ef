-- Matches accounts of the source to verified accounts of the target: by id, or else by address. `isUnblocked`: the
-- account is blocked at the source only.
SELECT s.id AS "source", s.email, coalesce(by_id.id, by_address.id) AS "target",
  NOT s.active AND coalesce(by_id.active, by_address.active, false) AS "isUnblocked"
FROM json_to_recordset(${accounts}) AS s (id uuid, email text, email_key text, active boolean)
  LEFT JOIN users AS by_id ON by_id.id = s.id AND by_id.email_verified_at IS NOT NULL
  LEFT JOIN users AS by_address ON by_address.email_key = s.email_key AND by_address.email_verified_at IS NOT NULL
