SELECT EXISTS (
    SELECT FROM zone_settings AS s JOIN zones AS z ON z.id = s.zone_id
    WHERE s.backend_id = ANY (${backends}::uuid[]) AND z.id <> ALL (${zones}::uuid[])
  ) OR EXISTS (
    SELECT FROM rules AS r JOIN zones AS z ON z.id = r.zone_id
    WHERE r.backend_id = ANY (${backends}::uuid[]) AND z.id <> ALL (${zones}::uuid[])
  ) AS "areUsed"
