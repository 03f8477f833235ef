-- FOR UPDATE, the only mode that waits for the FOR KEY SHARE of units that use it. The origins are read by a separate
-- statement: this one would return them as of before the wait.
SELECT id FROM load_balancers WHERE id = ${id} AND organization_id = ${organization} FOR UPDATE
