-- Ban tokens are encrypted in `sealed_ban_token`, and `ban_token` is a keyed hash, which starts with `hmac.`. A token in
-- plain text is from the previous version, which writes only `ban_token`; the clean-up encrypts these (decision 0023).
ALTER TABLE zones ADD COLUMN sealed_ban_token text;
CREATE INDEX zones_plain_ban_tokens ON zones (id) WHERE NOT starts_with(ban_token, 'hmac.');

-- A restored zone gets a new ban token, so none is stored with deleted zones. The previous version requires a value and
-- restores it, so it is random: the zone has a new token there, too.
CREATE FUNCTION random_ban_token() RETURNS text LANGUAGE sql AS $$
  SELECT 'ban_' || substr(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 1, 36)
$$;
CREATE FUNCTION replace_ban_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.ban_token := random_ban_token();
  RETURN NEW;
END $$;
CREATE TRIGGER deleted_zones_ban_token BEFORE INSERT ON deleted_zones FOR EACH ROW EXECUTE FUNCTION replace_ban_token();
UPDATE deleted_zones SET ban_token = random_ban_token();
