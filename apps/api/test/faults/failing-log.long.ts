import { losesOnlyLines } from './support/failing-log.ts';

describe('A log that cannot be written', function () {
  this.timeout(60_000);
  losesOnlyLines({ what: 'a reader that has stopped reading', lines: 1500, stdio: () => ['ignore', 'pipe', 'pipe'] });
});
