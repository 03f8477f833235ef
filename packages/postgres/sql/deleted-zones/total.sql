SELECT count(*)::int AS "total" FROM deleted_zones
WHERE organization_id = ${organization} AND expires_at > now() AND search_key LIKE ${pattern} ESCAPE '\'
