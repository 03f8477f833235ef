DELETE FROM sign_in_networks
WHERE user_id = ${userId} AND network IN (
  SELECT network FROM sign_in_networks WHERE user_id = ${userId}
  ORDER BY last_used_at DESC, network OFFSET ${kept}
)
