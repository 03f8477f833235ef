SELECT coalesce(sum(t.zones), 0)::integer FROM own JOIN zone_tallies AS t ON t.organization_id = own.organization /*tagged*/
