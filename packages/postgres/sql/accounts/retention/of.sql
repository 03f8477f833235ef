SELECT what, days FROM organization_retention WHERE organization_id = ${organization}
