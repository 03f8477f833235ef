origins AS MATERIALIZED (
  SELECT s.id FROM unnest(${originServers}::uuid[], ${originRevisions}::int[]) AS w (id, revision)
    JOIN origin_servers AS s ON s.id = w.id AND s.revision = w.revision
  ORDER BY s.id
  FOR KEY SHARE OF s
), balancers AS MATERIALIZED (
  SELECT b.id FROM unnest(${loadBalancers}::uuid[], ${balancerRevisions}::int[]) AS w (id, revision)
    JOIN load_balancers AS b ON b.id = w.id AND b.revision = w.revision
  ORDER BY b.id
  FOR KEY SHARE OF b
), 
