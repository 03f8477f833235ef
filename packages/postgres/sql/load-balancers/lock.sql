-- FOR UPDATE: a unit that uses it holds FOR KEY SHARE, and only this mode waits for that. The origins are read by a
-- statement of its own: this one would show those from before it had to wait.
SELECT id FROM load_balancers WHERE id = ${id} AND organization_id = ${organization} FOR UPDATE
