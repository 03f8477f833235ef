SELECT new_email AS "email" FROM address_changes WHERE confirm_hash = ${confirmation}
