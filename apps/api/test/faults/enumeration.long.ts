import { expect } from 'chai';
import { aRegisteredUser, password, unique } from '../support/arrange.ts';
import { clientOf, type Reply } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { type ApiProcess, type Home, makeHome, startApi } from './support/api-process.ts';
import { measuredUpTo, median, timed } from './support/medians.ts';
import { aPerson, type Place } from './support/people.ts';

/** A kind of request that is sent repeatedly. */
type Request = () => Promise<Reply>;

const samples = 200;
/** Samples after which a difference far below the bound counts as none; checked again after the same number. */
const fewSamples = 20;
const leastDifferenceMilliseconds = 5;
const leastDifferenceShare = 0.15;

describe('What responses and their times reveal about accounts', function () {
  this.timeout(240_000);
  let home: Home;
  let mails: Mailbox;
  let place: Place;
  let api: ApiProcess;

  before(async () => {
    home = makeHome();
    mails = await openMailbox();
    const { url, database } = await freshDatabase();
    api = await startApi(home, { DATABASE_URL: url, SMTP_URL: mails.url, LOG_LEVEL: 'warn' });
    place = { url: api.url, database };
  });
  after(async () => {
    await api.kill();
    await place.database.$pool.end();
    await mails.close();
    home.remove();
  });

  const unknownEmail = () => `nobody${unique()}@example.com`;
  const post = (path: string, body: unknown) => clientOf(api.url).post(`/api/auth/${path}`, body);

  it('answers a login equally fast for an unknown address, a wrong password and an inactive account', async () => {
    const [ada, { email: inactive }] = [await aPerson(place), await aRegisteredUser(place)];
    const logIn = (email: string, password: string) => post('login', { email, password });
    // One address for all samples, like the others: rate limit counters must not make the difference.
    const nobody = unknownEmail();
    await expectSameTimes({
      unknown: () => logIn(nobody, 'Wrong-Horse-7'),
      'wrong password': () => logIn(ada.email, 'Wrong-Horse-7'),
      inactive: () => logIn(inactive, password),
    });
    const refusals = [await logIn(unknownEmail(), password), await logIn(ada.email, 'Wrong-Horse-7')];
    refusals.push(await logIn(inactive, 'Wrong-Horse-7'));
    expectSameAnswers(refusals, 401);
    expect((await logIn(inactive, password)).status).to.equal(403);
  });

  it('rejects an existing address as slowly as it registers a new one', async () => {
    const ada = await aPerson(place);
    const register = (email: string) => post('register', { email, password, firstName: 'Ada', lastName: 'Lovelace' });
    // Only rejections can have equal texts: a success differs by definition.
    expectSameAnswers([await register(ada.email), await register(ada.email.toUpperCase())], 409);
    // Hashing dominates the time, and happens in either case.
    const isHashed = (share: number) => share > 1 / 3;
    const share = await measuredUpTo(3, isHashed, async () => {
      const times: { taken: number; free: number }[] = [];
      for (let sample = 0; sample < 7; sample += 1) {
        const [taken, free] = [await timed(() => register(ada.email)), await timed(() => register(unknownEmail()))];
        times.push({ taken, free });
      }
      return median(times.map(({ taken }) => taken)) / median(times.map(({ free }) => free));
    });
    expect(isHashed(share), String(share)).to.equal(true);
  });

  for (const path of ['forgot-password', 'resend-verification']) {
    it(`answers ${path} identically and equally fast for known and unknown addresses`, async () => {
      const [{ email: verified }, { email: unverified }] = [await aPerson(place), await aRegisteredUser(place)];
      const ask = (email: string) => post(path, { email });
      expectSameAnswers([await ask(unknownEmail()), await ask(verified), await ask(unverified)], 200);
      const nobody = unknownEmail();
      await expectSameTimes({
        unknown: () => ask(nobody),
        verified: () => ask(verified),
        unverified: () => ask(unverified),
      });
    });
  }
});

/** Requires equal status, body and header field names. */
function expectSameAnswers(replies: readonly Reply[], expectedStatus: number): void {
  const seen = replies.map(({ status, headers, text }) => ({ status, text, fields: [...headers.keys()] }));
  for (const each of seen) expect(each).to.deep.equal({ ...seen[0], status: expectedStatus });
}

/**
 * Requires that response times do not distinguish any kind of request from the first. The kinds alternate, and each
 * sample is compared with its neighbour, so that background load affects both.
 */
async function expectSameTimes(requests: Readonly<Record<string, Request>>): Promise<void> {
  const isSame = areBelow(1);
  const differences = await measuredUpTo(3, isSame, () => measureDifferences(requests));
  expect(isSame(differences), JSON.stringify(differences)).to.equal(true);
}

const areBelow =
  (share: number) =>
  (found: readonly Difference[]): boolean =>
    found.every(({ milliseconds, bound }) => milliseconds < share * bound);

interface Difference {
  readonly name: string;
  /** Median difference of neighbouring samples. */
  readonly milliseconds: number;
  readonly bound: number;
}

/** Stops early when the median is clear enough: it would have to be off by half of the bound to hide a difference. */
async function measureDifferences(requests: Readonly<Record<string, Request>>): Promise<readonly Difference[]> {
  const isFarBelow = areBelow(0.5);
  const times: Record<string, number>[] = [];
  while (times.length < samples) {
    times.push(await oneRound(Object.entries(requests), times.length));
    if (times.length % fewSamples !== 0) continue;
    const differences = differencesIn(times, Object.keys(requests));
    if (isFarBelow(differences)) return differences;
  }
  return differencesIn(times, Object.keys(requests));
}

function differencesIn(
  times: readonly Readonly<Record<string, number>>[],
  [reference = '', ...others]: readonly string[],
): readonly Difference[] {
  const of = (name: string) => times.map((round) => round[name] ?? Number.NaN);
  const usual = of(reference);
  const bound = Math.max(leastDifferenceMilliseconds, leastDifferenceShare * median(usual));
  return others.map((name) => {
    const differences = of(name).map((time, index) => time - (usual[index] ?? Number.NaN));
    return { name, milliseconds: Math.abs(median(differences)), bound };
  });
}

/** One sample of each kind. The order rotates, so that no kind has a fixed position in the round. */
async function oneRound(requests: readonly [string, Request][], round: number): Promise<Record<string, number>> {
  const first = round % requests.length;
  const times: Record<string, number> = {};
  for (const [name, request] of [...requests.slice(first), ...requests.slice(0, first)]) {
    times[name] = await timed(request);
  }
  return times;
}
