/** The soundness check of findings at the size of a night: `pnpm soundness [zones] [requests]`. */
import { checkSoundness, faults, shareFound } from '../test/analysis/soundness.ts';

const [zones = 10_000, requests = 1000] = process.argv.slice(2).map(Number);
checkSoundness(zones, requests);
process.stdout.write(`${zones} zones: no proven finding was contradicted by ${requests} requests each\n`);
for (const fault of faults) {
  process.stdout.write(
    `${fault}: ${(100 * shareFound(fault, Math.ceil(zones / 10))).toFixed(1)} % of seeded faults found\n`,
  );
}
