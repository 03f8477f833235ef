-- Matches users of the other database to accounts: by id, or else by verified address.
SELECT p.old, p.email, coalesce(same.id, known.id) AS "new"
FROM json_to_recordset($1) AS p (old uuid, email text, email_key text)
  LEFT JOIN users AS same ON same.id = p.old
  LEFT JOIN users AS known ON known.email_key = p.email_key AND known.email_verified_at IS NOT NULL
