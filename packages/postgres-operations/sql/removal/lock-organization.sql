SELECT name FROM organizations WHERE id = ${organization} FOR UPDATE
