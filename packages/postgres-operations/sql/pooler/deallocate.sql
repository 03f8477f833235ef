DEALLOCATE ${name:name}
