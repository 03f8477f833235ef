removed_users AS (
  DELETE FROM basic_auth_users AS b USING head WHERE b.zone_id = head.id AND b.id = ANY (${removedUsers}::uuid[])
), changed_users AS (
  UPDATE basic_auth_users AS b SET
    comment = w.comment, password_hash = coalesce(w.hash, b.password_hash), updated_at = statement_timestamp(),
    revision = b.revision + 1
  FROM head, unnest(${changedUsers}::uuid[], ${changedComments}::text[], ${changedPasswords}::text[]) AS w (id, comment, hash)
  WHERE b.zone_id = head.id AND b.id = w.id
), added_users AS (
  INSERT INTO basic_auth_users (id, zone_id, username, username_key, comment, password_hash, created_at, updated_at)
  SELECT w.id, head.id, w.username, w.username_key, w.comment, w.hash, statement_timestamp(), statement_timestamp()
  FROM head, unnest(${addedUsers}::uuid[], ${usernames}::text[], ${usernameKeys}::text[], ${addedComments}::text[],
    ${addedPasswords}::text[]) AS w (id, username, username_key, comment, hash)
), 
