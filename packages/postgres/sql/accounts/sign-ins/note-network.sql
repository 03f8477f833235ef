-- The unit has locked the account, so no concurrent sign-in intervenes.
WITH noted AS MATERIALIZED (SELECT network, last_used_at FROM sign_in_networks WHERE user_id = ${userId})
INSERT INTO sign_in_networks (user_id, network) VALUES (${userId}, ${network})
ON CONFLICT (user_id, network) DO UPDATE SET last_used_at = now()
RETURNING CASE
  WHEN NOT EXISTS (SELECT FROM noted) THEN 'first'
  WHEN EXISTS (
    SELECT FROM noted
    WHERE network = ${network} AND last_used_at > now() - make_interval(secs => ${rememberedSeconds})
  ) THEN 'known'
  ELSE 'new'
END AS "standing"
