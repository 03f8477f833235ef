import { expect } from 'chai';
import { DocumentChecks } from '../../src/documents/checking/document-checks.ts';
import { workerUrl } from '../../src/documents/checking/worker-url.ts';
import { documentOf, listOf, type MadeDocument, when } from '../support/documents.ts';
import { errorOf, valueOf } from '../support/outcomes.ts';

const facts = { country: false, asn: false };
const offered = ({ digest }: MadeDocument, id = 'a') => ({ id, digest, facts });

/** A zone with so many patterns. */
const patterned = (count: number, pattern = (index: number) => `[ab]${'c'.repeat(900)}${index}`): MadeDocument => {
  const rules = Array.from({ length: count }, (_, index) => ({
    action: 'block',
    conditions: when('uri', 'matches', pattern(index)),
  }));
  return documentOf({ id: 'a', document: { accessRules: listOf(rules) } });
};

describe('the check of a document', function () {
  // A thread starts.
  this.timeout(20_000);
  let checks: DocumentChecks;
  afterEach(() => checks.close());

  it('says the same of large documents, on another thread, as of small ones', async () => {
    checks = new DocumentChecks();
    const check = async (document: MadeDocument, id?: string) => checks.check(document.bytes, offered(document, id));
    for (const count of [1, 50]) {
      const good = patterned(count);
      expect(valueOf(await check(good))).to.deep.equal({ hostnames: ['a.example'], needs: [] });
      expect(errorOf(await check(good, 'b')).code).to.equal('document.format');
      expect(errorOf(await check({ ...good, digest: 'sha256:0' })).code).to.equal('document.digest');
      const { code, message } = errorOf(await check(patterned(count, (index) => `${'c'.repeat(900)}(${index}`)));
      expect([code, message.split(': ')[0]]).to.deep.equal([
        'document.compile',
        'accessRules.items.rule-0.conditions.conditions[0].value',
      ]);
    }
  });

  it('holds up no small one while large ones are checked, one after another', async () => {
    checks = new DocumentChecks();
    const [large, small] = [patterned(50), patterned(1)];
    const order: string[] = [];
    const noted = async (name: string, document: MadeDocument) => {
      valueOf(await checks.check(document.bytes, offered(document)));
      order.push(name);
    };
    await Promise.all([noted('first', large), noted('second', large), noted('small', small)]);
    expect(order).to.deep.equal(['small', 'first', 'second']);
  });

  it('rejects what takes too long, and goes on with the next', async () => {
    checks = new DocumentChecks({ program: workerUrl, memory: 64, seconds: 0.001 });
    const document = patterned(50);
    for (const _ of [1, 2]) {
      const { code, message } = errorOf(await checks.check(document.bytes, offered(document)));
      expect([code, message]).to.deep.equal(['document.compile', 'It could not be checked: No answer in 0.001 s.']);
    }
  });

  it('accepts nothing any more when it is closed', async () => {
    checks = new DocumentChecks();
    const document = patterned(50);
    const both = [1, 2].map(() => checks.check(document.bytes, offered(document)));
    await checks.close();
    for (const each of both) expect(errorOf(await each).code).to.equal('document.compile');
  });
});
