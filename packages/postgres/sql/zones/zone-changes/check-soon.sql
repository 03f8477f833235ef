-- The lapsing domains by which zones still have the names.
UPDATE domains AS d SET next_check_at = now()
FROM host_names AS h JOIN zones AS z ON z.id = h.zone_id
WHERE h.name = ANY (${names}) AND d.organization_id = z.organization_id
  AND d.state = 'lapsing' AND d.next_check_at > now() AND d.checked_at <= now() - make_interval(secs => ${seconds})
  AND (d.name = h.name OR right(h.name, length(d.name) + 1) = '.' || d.name)
