candidates AS MATERIALIZED (
  -- The zones that the page can show by the key of the index, and all that are equal by it.
  SELECT z.* FROM own CROSS JOIN unnest(${tags}::text[]) AS wanted (tag) CROSS JOIN LATERAL (
    SELECT id, name_key, tag, created_at, updated_at FROM zones
    WHERE organization_id = own.organization AND tag = wanted.tag
    ORDER BY <%= it.indexOrder %>
    FETCH FIRST (${limit}::integer + ${offset}::integer) ROWS WITH TIES
  ) AS z
), <%~ include('@ranked-page') %>
