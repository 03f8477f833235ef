UPDATE organizations SET limits = $2 WHERE id = $1
