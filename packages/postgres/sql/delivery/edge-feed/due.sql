-- Zones that are due, with all their marks and with what canary edges are offered. Organizations take turns, a zone at a
-- time, beginning with the one after the last whose turn it was; each begins with its oldest marks. Of zones with host
-- names there are only some, because each of them has to be read.
WITH RECURSIVE turns AS (
  SELECT 1 AS number, coalesce(
    (SELECT min(turn_of) FROM zone_publications_due WHERE turn_of > ${turn}), (SELECT min(turn_of) FROM zone_publications_due)
  ) AS turn_of
  UNION ALL
  SELECT t.number + 1, coalesce(
    (SELECT min(d.turn_of) FROM zone_publications_due AS d WHERE d.turn_of > t.turn_of),
    (SELECT min(d.turn_of) FROM zone_publications_due AS d)
  )
  FROM turns AS t WHERE t.number < ${zones}
), turn AS (
  SELECT turn_of, min(number) AS number FROM turns WHERE turn_of IS NOT NULL GROUP BY turn_of
), oldest AS (
  SELECT t.number, t.turn_of, m.zone_id, min(m.id) AS first
  FROM turn AS t CROSS JOIN LATERAL (
    SELECT d.id, d.zone_id FROM zone_publications_due AS d WHERE d.turn_of = t.turn_of ORDER BY d.id LIMIT ${marks}
  ) AS m
  GROUP BY t.number, t.turn_of, m.zone_id
), queued AS (
  SELECT o.*, coalesce(cardinality(z.hostnames) > 0, false) AS is_named,
    count(*) FILTER (WHERE cardinality(z.hostnames) > 0) OVER (PARTITION BY o.turn_of ORDER BY o.first) AS place
  FROM oldest AS o LEFT JOIN zones AS z ON z.id = o.zone_id
), counted AS (
  SELECT q.*, count(*) FILTER (WHERE q.is_named) OVER (ORDER BY q.place, q.number, q.first) AS named FROM queued AS q
)
SELECT c.zone_id AS id, ARRAY(SELECT d.id::text FROM zone_publications_due AS d WHERE d.zone_id = c.zone_id) AS marks,
  c.is_named AS "isNamed", c.turn_of AS turn, p.digest, p.tag, p.organization_id AS "organizationId",
  coalesce(${latest}, (SELECT max(id)::text FROM zone_publications_due)) AS latest
FROM counted AS c LEFT JOIN edge_zones AS p ON p.zone_id = c.zone_id AND p.stage = 'canary'
WHERE c.named <= ${zones}
ORDER BY c.place, c.number, c.first
