SELECT count(*)::int AS zones FROM zones
WHERE organization_id IN (SELECT id FROM organizations WHERE name LIKE 'Foreign%')
