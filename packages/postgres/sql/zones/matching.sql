SELECT /*keys*/ FROM own JOIN zones ON organization_id = own.organization
  WHERE tag = ANY (${tags}) AND search_key LIKE ${pattern} ESCAPE '\'
