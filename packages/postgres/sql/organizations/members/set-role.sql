UPDATE memberships SET role = ${role} WHERE organization_id = ${organization} AND user_id = ${user}
