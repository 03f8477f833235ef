DELETE FROM organizations WHERE id = ${id}
