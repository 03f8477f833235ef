SET ${setting:name} = ${value}
