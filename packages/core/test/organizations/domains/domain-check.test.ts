import { expect } from 'chai';
import { errAsync, okAsync } from 'neverthrow';
import { type Dns, noTexts } from '../../../src/organizations/domains/dns.ts';
import { DomainName } from '../../../src/organizations/domains/dns-names.ts';
import type { Domain } from '../../../src/organizations/domains/domain.ts';
import {
  afterCheck,
  checkDomain,
  type DomainCheck,
  type WatchedDomain,
} from '../../../src/organizations/domains/domain-check.ts';

const [minute, hour, day] = [60, 3600, 86_400];
const name = DomainName.parse('example.com');
const proof = 'p'.repeat(43);

describe('checkDomain', () => {
  const checkWith = async (texts: Dns['texts']): Promise<DomainCheck> =>
    checkDomain({ texts }, { name, proof }).match(
      (check) => check,
      (impossible) => impossible,
    );
  const finding = (...texts: string[]) =>
    checkWith((asked) => (asked === '_zonewright.example.com' ? okAsync(texts) : errAsync(noTexts('failed'))));

  it('finds the record among others', async () => {
    expect(await finding('v=spf1 -all', `zonewright-verification=${proof}`)).to.equal('proven');
  });

  it('shows other values, cut at 200 characters and without what is not printable', async () => {
    expect(await finding('zonewright-verification=old', 'b\u0000\u202e')).to.deep.equal({
      code: 'dns.otherValue',
      message: 'The TXT record has another value: zonewright-verification=old, b\ufffd\ufffd',
    });
    const long = await finding('😀'.repeat(10_000));
    expect(long).to.have.property('message', `The TXT record has another value: ${'😀'.repeat(200)}`);
  });

  for (const reason of ['noRecord', 'noSuchName', 'failed'] as const) {
    it(`says that there is no record: ${reason}`, async () => {
      expect(await checkWith(() => errAsync(noTexts(reason)))).to.have.property('code', `dns.${reason}`);
    });
  }
});

const missing: DomainCheck = { code: 'dns.noRecord', message: '' };
const failed: DomainCheck = { code: 'dns.failed', message: '' };

const watched = (state: Domain['state'], given: Partial<WatchedDomain> = {}): WatchedDomain => ({
  // A check depends on nothing else.
  domain: { state } as Domain,
  ageSeconds: 100 * day,
  stateSeconds: 50 * day,
  misses: 0,
  missingSeconds: 0,
  ...given,
});

describe('afterCheck', () => {
  for (const state of ['pending', 'verified', 'lapsing', 'lapsed'] as const) {
    it(`makes a ${state} domain verified when the record is there, and checks again after a day`, () => {
      expect(afterCheck(watched(state, { misses: 5, missingSeconds: 9 * day }), 'proven')).to.deep.equal({
        state: 'verified',
        problem: undefined,
        misses: 0,
        nextCheckSeconds: day,
      });
    });

    it(`changes nothing about a ${state} domain when DNS fails`, () => {
      const before = watched(state, { misses: 2, missingSeconds: 30 * day });
      expect(afterCheck(before, failed)).to.include({ state, problem: failed, misses: 2 });
    });
  }

  it('checks a pending domain 1, 5, 15 and 60 minutes after it was added, and every six hours from then on', () => {
    const nextAt = (ageSeconds: number) =>
      ageSeconds + afterCheck(watched('pending', { ageSeconds }), missing).nextCheckSeconds;
    expect([0, minute, 2 * minute, 5 * minute, 20 * minute].map(nextAt)).to.deep.equal([
      minute,
      5 * minute,
      5 * minute,
      15 * minute,
      hour,
    ]);
    expect(nextAt(hour)).to.equal(7 * hour);
    expect(nextAt(10 * day)).to.equal(10 * day + 6 * hour);
    expect(afterCheck(watched('pending', { misses: 9, missingSeconds: 9 * day }), missing).state).to.equal('pending');
  });

  it('lets a verified domain lapse only after three checks without the record over 48 hours', () => {
    const after = (misses: number, missingSeconds: number) =>
      afterCheck(watched('verified', { misses, missingSeconds }), missing);
    expect(after(0, 0)).to.deep.equal({ state: 'verified', problem: missing, misses: 1, nextCheckSeconds: day });
    expect(after(1, 60 * hour).state).to.equal('verified');
    expect(after(20, 47 * hour).state).to.equal('verified');
    expect(after(2, 48 * hour)).to.include({ state: 'lapsing', misses: 3 });
  });

  it('makes a lapsing domain lapsed after seven days, and leaves it so', () => {
    const after = (stateSeconds: number) => afterCheck(watched('lapsing', { misses: 3, stateSeconds }), missing).state;
    expect(after(7 * day - 1)).to.equal('lapsing');
    expect(after(7 * day)).to.equal('lapsed');
    expect(afterCheck(watched('lapsed'), missing)).to.include({ state: 'lapsed', nextCheckSeconds: day });
  });
});
