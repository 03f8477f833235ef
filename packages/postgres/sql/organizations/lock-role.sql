SELECT role FROM memberships WHERE organization_id = ${organization} AND user_id = ${user} FOR SHARE
