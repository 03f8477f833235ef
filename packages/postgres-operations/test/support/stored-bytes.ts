import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';

/** What each organization stores, counted anew. */
const recount = `
  SELECT organization_id AS organization, sum(bytes)::float8 AS bytes FROM (
    SELECT i.organization_id, octet_length(s.settings::text) AS bytes FROM zone_settings AS s JOIN zone_identities AS i ON i.id = s.zone_id
    UNION ALL SELECT i.organization_id, octet_length(r.content::text) FROM rules AS r JOIN zone_identities AS i ON i.id = r.zone_id
    UNION ALL SELECT i.organization_id, bytes FROM zone_revisions AS v JOIN zone_identities AS i ON i.id = v.zone_id
    UNION ALL SELECT i.organization_id, bytes FROM change_sets AS c JOIN zone_identities AS i ON i.id = c.zone_id
    UNION ALL SELECT i.organization_id, bytes FROM promotions AS p JOIN zone_identities AS i ON i.id = p.zone_id
  ) AS stored WHERE organization_id IS NOT NULL GROUP BY 1 HAVING sum(bytes) <> 0 ORDER BY 1`;

const tallies = `
  SELECT organization_id AS organization, sum(bytes)::float8 AS bytes
  FROM stored_bytes GROUP BY 1 HAVING sum(bytes) <> 0 ORDER BY 1`;

/** Checks that the tallies of all organizations are what they store. */
export const expectTalliesToHold = async (database: Pick<Database, 'any'>): Promise<void> =>
  void expect(await database.any(tallies)).to.deep.equal(await database.any(recount));
