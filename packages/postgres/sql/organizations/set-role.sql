UPDATE memberships SET role = ${role} WHERE organization_id = ${id} AND user_id = ${user}
