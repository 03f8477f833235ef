INSERT INTO recovery_codes (user_id, hash) SELECT ${user}::uuid, unnest(${codes}::text[])
