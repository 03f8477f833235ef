-- Conflicts with the FOR UPDATE of a change or removal, and of a changed address of one of its origins.
SELECT id FROM load_balancers WHERE id = ${id} AND organization_id = ${organization} FOR KEY SHARE
