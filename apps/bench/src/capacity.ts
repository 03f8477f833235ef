/**
 * Computes the resources an installation of a given size needs from measured figures, for docs/scaling.md.
 * Deterministic and without a database: edit the constants for another workload or machine.
 */

/**
 * Milliseconds of processor time per request, in the service and in the database, from `pnpm bench` on two cores at a
 * load of 13. On an idle machine it is two thirds of that.
 */
const requests = {
  'one zone, unchanged': { service: 0.34, database: 0.23, perZoneAndDay: 24 },
  'list of 30 zones': { service: 1.43, database: 1.04, perZoneAndDay: 2 },
  'a change of a rule': { service: 2.13, database: 1.14, perZoneAndDay: 1 },
} as const;
/** Peak load as a multiple of the daily mean. */
const peak = 5;
/** Target utilization of a core at peak load. */
const utilization = 0.6;

/** Bytes per row including its index entries, in tables of 8,000 to 100,000 rows. */
const bytes = {
  zone: 298 + 706 + 65 + 52,
  settings: 2053 + 41,
  rule: 547 + 347,
  revision: 443 + 55,
  auditEntry: 328 + 188,
} as const;
const rulesPerZone = 10;
/** Audit log entries per change, including sign-ins and token refreshes. */
const entriesPerChange = 2;
/** Database milliseconds per 500 zones of the daily walk. */
const walkMilliseconds = 37;

const perSecond = (zones: number): number =>
  (zones * Object.values(requests).reduce((sum, { perZoneAndDay }) => sum + perZoneAndDay, 0) * peak) / 86_400;

const coresFor = (zones: number, part: 'service' | 'database'): number => {
  const milliseconds = Object.values(requests).reduce((sum, each) => sum + each[part] * each.perZoneAndDay, 0);
  return (zones * milliseconds * peak) / 86_400_000 / utilization;
};

const gigabytes = (size: number): string => `${(size / 2 ** 30).toFixed(size < 2 ** 30 ? 2 : 0)} GiB`;

/** Bytes for the zones with their contents, and for a year of changes. */
const sizesOf = (zones: number) => ({
  present: zones * (bytes.zone + bytes.settings + rulesPerZone * bytes.rule),
  year: zones * 365 * (bytes.revision + entriesPerChange * bytes.auditEntry),
});

const perCore = Object.entries(requests).map(([request, { service, database }]) => [
  request,
  ...[service, database, service + database].map((milliseconds) => Math.floor((1000 * utilization) / milliseconds)),
]);

const needs = [10, 1000, 100_000, 1_000_000, 10_000_000].map((zones) => [
  zones.toLocaleString('en'),
  perSecond(zones).toFixed(zones < 10_000 ? 2 : 0),
  coresFor(zones, 'service').toFixed(2),
  coresFor(zones, 'database').toFixed(2),
  gigabytes(sizesOf(zones).present),
  gigabytes(sizesOf(zones).year),
  `${((zones / 500) * (walkMilliseconds / 1000)).toFixed(1)} s`,
]);

/** Prints a Markdown table. */
function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`);
  process.stdout.write(`${lines.join('')}\n`);
}

printTable(['Requests per second', 'One service core', 'One database core', 'One core for both'], perCore);
printTable(
  [
    'Zones',
    'Requests per second',
    'Service cores',
    'Database cores',
    'Current data',
    'A year of changes',
    'Daily walk',
  ],
  needs,
);
