/** Runs the soundness checks of findings and comparisons overnight: `pnpm soundness [zones] [requests]`. */
import { seededChanges, shareOfChanges } from '../test/behaviour-changes.ts';
import { checkBehaviour } from '../test/behaviour-soundness.ts';
import { checkSoundness, faults, shareFound } from '../test/soundness.ts';

const [zones = 10_000, requests = 1000] = process.argv.slice(2).map(Number);
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

checkSoundness(zones, requests);
say(`${zones} zones: no proven finding was contradicted by ${requests} requests each`);
for (const fault of faults) {
  say(`${fault}: ${(100 * shareFound(fault, Math.ceil(zones / 10), 30)).toFixed(1)} % of seeded faults found`);
}
const { complete, harmless, changes } = checkBehaviour(zones, requests);
say(`${zones} pairs of zones: no comparison was contradicted by ${requests} requests each`);
say(`${complete} complete, ${harmless} of them harmless; ${changes} changes, each shown by its witness`);
for (const name of Object.keys(seededChanges) as (keyof typeof seededChanges)[]) {
  const { found, complete: proven, count } = shareOfChanges(name, Math.ceil(zones / 10), 30);
  say(
    `${name}: ${(100 * found).toFixed(1)} % of ${count} seeded changes found, ${(100 * proven).toFixed(1)} % complete`,
  );
}
