SELECT FROM ${table:name} WHERE organization_id = ${organization} FOR UPDATE
