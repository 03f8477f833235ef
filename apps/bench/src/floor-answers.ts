/** Renders rows as JSON text with stored JSON spliced in: the output of the service without any of its layers. */

/** A zone as its row is selected. */
export interface ZoneRow {
  readonly id: string;
  readonly organizationId: number;
  readonly name: string;
  readonly tag: string;
  readonly hostnames: readonly string[];
  readonly banToken: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly settings: string;
}

/** A rule as its row is selected. */
export interface RuleRow {
  readonly id: string;
  readonly order: number;
  /** The JSON object that the client wrote. */
  readonly content: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const text = JSON.stringify;

const zoneMembers = (row: ZoneRow): string =>
  `"id":"${row.id}","name":${text(row.name)},"tag":"${row.tag}","hostnames":${text(row.hostnames)},` +
  `"organization":"/api/organizations/${row.organizationId}","banToken":"${row.banToken}","createdBy":"/api/users/${row.createdBy}",` +
  `"createdAt":"${row.createdAt.toISOString()}","updatedAt":"${row.updatedAt.toISOString()}","zone_settings":${row.settings}`;

/** A plain list of zones without their nested items, as the service sends it. */
export const zoneList = (rows: readonly ZoneRow[]): string =>
  `[${rows.map((row) => `{${zoneMembers(row)}}`).join(',')}]`;

/** A rule whose stored content is spliced in unread. */
export const rule = (zone: string, row: RuleRow): string =>
  `{"id":"${row.id}","zone":"/api/zones/${zone}",${row.content.slice(1, -1)},"order":${row.order},` +
  `"createdAt":"${row.createdAt.toISOString()}","updatedAt":"${row.updatedAt.toISOString()}"}`;

/** A zone's nested items by member: their JSON text and count. */
export interface NestedRow {
  readonly member: string;
  readonly count: number;
  readonly items: string;
}

/** The limits are those of the service. */
export function zoneDetails(row: ZoneRow & { basicAuthUserCount: number }, nested: readonly NestedRow[]): string {
  const of = (member: string): NestedRow =>
    nested.find((each) => each.member === member) ?? { member, count: 0, items: '' };
  const [rewrites, rules] = [of('rewriteRules'), of('configurationRules')];
  const [access, scenarios] = [of('accessRules'), of('securityScenarios')];
  const usage = {
    rules: { used: rules.count + rewrites.count, limit: 150 },
    waf: { used: access.count, limit: 100 },
    scenarios: { used: scenarios.count, limit: 20 },
    configurationRules: { used: rules.count, limit: 100 },
    rewriteRules: { used: rewrites.count, limit: 50 },
    accessRules: { used: access.count, limit: 100 },
    securityScenarios: { used: scenarios.count, limit: 20 },
    basicAuthUsers: { used: row.basicAuthUserCount, limit: 50 },
  };
  const members = [rewrites, rules, access, scenarios].map(({ member, items }) => `"${member}":[${items}]`);
  return `{${zoneMembers(row)},"usage":${text(usage)},${members.join(',')}}`;
}
