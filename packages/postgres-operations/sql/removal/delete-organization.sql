-- The organization's cascade omits zones, and could reach origin servers before the load balancers that use them.
DELETE FROM zones WHERE organization_id = ${organization};
DELETE FROM load_balancers WHERE organization_id = ${organization};
DELETE FROM organizations WHERE id = ${organization}
