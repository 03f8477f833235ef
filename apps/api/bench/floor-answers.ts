/** Rows to JSON text, stored JSON spliced in: what the service writes, without any of its layers. */

interface ZoneRow {
  readonly id: string;
  readonly organizationId: number;
  readonly name: string;
  readonly tag: string;
  readonly banToken: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly settings: string;
}

interface RuleRow {
  readonly id: string;
  readonly order: number;
  /** What the client wrote, as an object. */
  readonly content: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const text = JSON.stringify;

const zoneMembers = (row: ZoneRow): string =>
  `"id":"${row.id}","name":${text(row.name)},"tag":"${row.tag}","organization":"/api/organizations/${row.organizationId}",` +
  `"banToken":"${row.banToken}","createdBy":"/api/users/${row.createdBy}","createdAt":"${row.createdAt.toISOString()}",` +
  `"updatedAt":"${row.updatedAt.toISOString()}","zone_settings":${row.settings}`;

export const zoneList = (rows: readonly ZoneRow[]): string =>
  `[${rows.map((row) => `{${zoneMembers(row)}}`).join(',')}]`;

export const rule = (zone: string, row: RuleRow): string =>
  `{"id":"${row.id}","zone":"/api/zones/${zone}",${row.content.slice(1, -1)},"order":${row.order},` +
  `"createdAt":"${row.createdAt.toISOString()}","updatedAt":"${row.updatedAt.toISOString()}"}`;

/** Limits are those of the service; the zone of this data set has configuration rules only. */
export function zoneDetails(row: ZoneRow & { basicAuthUserCount: number }, rules: readonly RuleRow[]): string {
  const count = rules.length;
  const usage = {
    rules: { used: count, limit: 150 },
    waf: { used: 0, limit: 100 },
    scenarios: { used: 0, limit: 20 },
    configurationRules: { used: count, limit: 100 },
    rewriteRules: { used: 0, limit: 50 },
    accessRules: { used: 0, limit: 100 },
    securityScenarios: { used: 0, limit: 20 },
    basicAuthUsers: { used: row.basicAuthUserCount, limit: 50 },
  };
  const nested = `"rewriteRules":[],"configurationRules":[${rules.map((each) => rule(row.id, each)).join(',')}]`;
  return `{${zoneMembers(row)},"usage":${text(usage)},${nested},"accessRules":[],"securityScenarios":[]}`;
}

export type { RuleRow, ZoneRow };
