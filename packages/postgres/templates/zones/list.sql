-- A page of zones in one row: the versions of its zones, and the exact total. Everything found is null if the page that
-- was read earlier is current. `xmin` distinguishes zones with the same revision before and after a database restore.
-- Lists the zones of the caller's organizations; without a credential, those of the given ones.
WITH <%~ include('@caller') %>, own AS MATERIALIZED (
  SELECT organization FROM granted
  WHERE NOT needs_two_factor AND (${organization}::integer IS NULL OR organization = ${organization})
  UNION ALL
  SELECT unnest(${organizations}::integer[])
), earlier AS MATERIALIZED (
  -- Two states of the database with the same memberships of the caller, and the same marks in those organizations, have
  -- the same lists. The order of the parts does not matter: in another order, the page is read again.
  SELECT basis, basis IS NOT DISTINCT FROM ${basis} AS is_current
  FROM concat_ws(';',
    (SELECT string_agg(organization || CASE WHEN needs_two_factor THEN role || '!' ELSE role END, ',') FROM granted),
    (SELECT string_agg(m.mark::text, ',') FROM own JOIN zone_change_marks AS m ON m.organization_id = own.organization)
  ) AS basis
), <%~ include(`@${it.page}`, it) %>, versions AS MATERIALIZED (
  SELECT z.id, z.organization_id, z.version, page.place
  FROM page CROSS JOIN LATERAL (
    SELECT id, organization_id, revision || '.' || xmin::text AS version FROM zones WHERE id = page.id LIMIT 1
  ) AS z
)
SELECT <%~ include('@caller-columns') %>,
  CASE WHEN NOT earlier.is_current THEN (<%~ include('@memberships') %>) END AS "memberships",
  CASE WHEN NOT earlier.is_current THEN (
<% if (it.page === 'matching-page') { -%>
    SELECT count(*)::integer FROM candidates
<% } else { -%>
    SELECT coalesce(sum(t.zones), 0)::integer
    FROM own JOIN zone_tallies AS t ON t.organization_id = own.organization AND t.tag = ANY (${tags})
<% } -%>
  ) END AS "totalItems",
  CASE WHEN NOT earlier.is_current THEN (
    SELECT string_agg(concat_ws(' ', id, organization_id, version), ',' ORDER BY place) FROM versions
  ) END AS "versions",
  -- A transaction that has written may write again under the same mark.
  CASE WHEN NOT earlier.is_current AND pg_current_xact_id_if_assigned() IS NULL THEN basis END AS "basis"
FROM earlier LEFT JOIN caller AS c ON true
