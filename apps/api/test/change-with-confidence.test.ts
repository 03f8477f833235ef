import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, runSteps } from './readme-support.ts';
import { clientOf } from './support/client.ts';
import { tokenIn } from './support/mailbox.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const page = readFileSync(join(root, 'docs/change-with-confidence.md'), 'utf8');
/** The page's commands, each with its documented output. */
const steps = [...page.matchAll(/^```sh\n([^]*?)^```$(?:\n\n```text\n([^]*?)^```$)?/gm)].map(
  ([, script = '', printed = ''], index) => ({ heading: `block ${index + 1}`, script, printed: printed.trim() }),
);
const account = { email: 'ada@example.com', password: 'Correct-Horse-7', firstName: 'Ada', lastName: 'Lovelace' };

describe('the commands of docs/change-with-confidence.md', function () {
  this.timeout(60_000);
  let service: MemoryService;
  let printed: ReadonlyMap<string, string>;

  before(async () => {
    service = await openMemoryService();
    const client = clientOf(service.url);
    await client.post('/api/auth/register', account);
    const token = tokenIn(await service.mails.nextMailTo(account.email));
    await client.post('/api/auth/verify-email', { token });
    printed = await runSteps(steps, { 'http://localhost:3000': service.url });
  });
  after(() => service.close());

  for (const { heading, script, printed: expected } of steps) {
    it(`print what the page shows: ${heading}, ${script.split('\n', 1)[0]}`, () => {
      expect(printed.get(heading)).to.equal(expected);
    });
  }
});
