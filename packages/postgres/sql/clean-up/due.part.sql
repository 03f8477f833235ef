SELECT i.id, i.history_whole_from AS whole_from,
    date_trunc('day', now()) - make_interval(days => CASE WHEN r.organization_id IS NULL THEN ${days}::int ELSE r.days END) AS cutoff,
    -- A draft whose base is gone could not be rebased.
    coalesce((SELECT min(base) FROM change_sets WHERE zone_id = i.id AND applied_at IS NULL), 2147483647) AS needed
  FROM unnest(${zones}::uuid[]) AS zone (id) JOIN zone_identities AS i ON i.id = zone.id
    LEFT JOIN organization_retention AS r ON r.organization_id = i.organization_id AND r.what = ${what}
