SELECT /*keys*/ FROM own JOIN zones ON organization_id = own.organization
  WHERE search_key LIKE ${pattern} ESCAPE '\' /*tagged*/
