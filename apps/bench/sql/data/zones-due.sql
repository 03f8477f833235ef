SELECT count(*)::int AS due FROM zone_publications_due
