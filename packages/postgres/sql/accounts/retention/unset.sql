DELETE FROM organization_retention WHERE organization_id = ${organization} AND what = ${what}
