-- Rendered from templates/zones/deleted-zones/total.sql.eta
SELECT count(*)::int AS "total" FROM zone_deletions
WHERE organization_id = ${organization} AND (${zones}::uuid[] IS NULL OR id = ANY (${zones}))
  AND expires_at > now() AND search_key LIKE ${pattern} ESCAPE '\'
