INSERT INTO organization_retention (organization_id, what, days)
SELECT id, ${what}, ${days}::int FROM organizations WHERE id = ${organization}
ON CONFLICT (organization_id, what) DO UPDATE SET days = excluded.days
