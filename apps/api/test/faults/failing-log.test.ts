import { existsSync, openSync } from 'node:fs';
import { losesOnlyLines } from './support/failing-log.ts';

/** The everyday part of `failing-log.long.ts`. */
describe('A log that cannot be written', function () {
  this.timeout(60_000);
  if (!existsSync('/dev/full')) return;
  losesOnlyLines({ what: 'a full disk', lines: 100, stdio: () => ['ignore', openSync('/dev/full', 'w'), 'pipe'] });
});
