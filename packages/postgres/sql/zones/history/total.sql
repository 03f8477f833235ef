-- From this number on there is every revision; the number of earlier ones is stored.
SELECT coalesce((
  SELECT i.history_kept_before + latest.number - first.number + 1
  FROM zone_identities AS i,
    LATERAL (SELECT min(number) AS number FROM zone_revisions WHERE zone_id = i.id AND number >= i.history_whole_from) AS first,
    LATERAL (SELECT max(number) AS number FROM zone_revisions WHERE zone_id = i.id) AS latest
  WHERE i.id = ${zone}
), 0) AS "total"
