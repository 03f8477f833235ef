-- What API tokens may do, in which zones, and from where. Tokens from before, and those that the previous version
-- creates, may do what their owner may: `admin` includes all other permissions.
ALTER TABLE api_tokens
  ADD COLUMN permissions text[] NOT NULL DEFAULT '{admin}',
  -- NULL: all zones. Ids of deleted zones are kept: removing the last one would widen the token's access.
  ADD COLUMN zones uuid[],
  -- Addresses and ranges in canonical form; NULL: anywhere.
  ADD COLUMN networks text[],
  -- The /24 or /48 of the last recorded use.
  ADD COLUMN last_used_network text;
