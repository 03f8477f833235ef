UPDATE clean_up_walks SET position = ${position} WHERE name = ${name}
