-- The target encrypts tokens in plain text with its own key.
UPDATE zones SET ban_token = t.token, sealed_ban_token = NULL
FROM json_to_recordset(${tokens}) AS t (id uuid, token text)
WHERE zones.id = t.id
