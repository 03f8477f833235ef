import { okAsync, type ResultAsync } from 'neverthrow';
import type { Dns } from './dns.ts';
import { type Domain, type DomainProblem, type DomainState, verificationRecord } from './domain.ts';

/** What one look found: the record, or a problem. */
export type Look = 'proven' | DomainProblem;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** A pending domain is looked at this long after it was added, and every six hours from then on. */
const firstLooks: readonly number[] = [minute, 5 * minute, 15 * minute, hour];
const laterLooks = 6 * hour;
/** Others are looked at once a day. */
const watchSeconds = day;

/** A verified domain lapses after so many looks without the record, of which the first was so long ago. */
const toleratedMisses = 3;
const toleratedSeconds = 48 * hour;

/** How long a lapsing domain still covers its host names: seven days. */
export const lapsingSeconds = 7 * day;

/** How much of foreign texts is shown. */
const maxShownCharacters = 200;

/** A domain with what a look at it depends on; seconds are by the clock of storage. */
export interface WatchedDomain {
  readonly domain: Domain;
  /** Since it was added. */
  readonly ageSeconds: number;
  /** Since its state changed. */
  readonly stateSeconds: number;
  /** Looks without the record in a row, not counting those that failed. */
  readonly misses: number;
  /** Since the first of them. */
  readonly missingSeconds: number;
}

/** A domain as a look leaves it. */
export interface DomainAfterLook {
  readonly state: DomainState;
  readonly problem: DomainProblem | undefined;
  readonly misses: number;
  readonly nextLookSeconds: number;
}

/** How long after it was added a pending domain is looked at for the first time. */
export const firstLookSeconds = minute;

/** Looks for the record of a domain in DNS. */
export const lookAt = (dns: Dns, domain: Pick<Domain, 'name' | 'proof'>): ResultAsync<Look, never> => {
  const record = verificationRecord(domain);
  return dns
    .texts(record.name)
    .map((texts): Look => (texts.includes(record.value) ? 'proven' : otherValue(texts)))
    .orElse(({ reason }) => dnsAnswered(problems[reason]));
};

const dnsAnswered = (problem: DomainProblem): ResultAsync<Look, never> => okAsync<Look>(problem);

const problems = {
  noRecord: { code: 'dns.noRecord', message: 'There is no TXT record at this name.' },
  noSuchName: { code: 'dns.noSuchName', message: 'DNS does not know this name.' },
  failed: { code: 'dns.failed', message: 'The name servers of the domain did not answer.' },
} as const satisfies Record<string, DomainProblem>;

const otherValue = (texts: readonly string[]): DomainProblem => ({
  code: 'dns.otherValue',
  message: `The TXT record has another value: ${shown(texts.join(', '))}`,
});

const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu;

/** Foreign text, cut and without what is not printable. */
const shown = (text: string): string =>
  Array.from(
    text
      .slice(0, 2 * maxShownCharacters)
      .toWellFormed()
      .replaceAll(unprintable, '�'),
  )
    .slice(0, maxShownCharacters)
    .join('');

/** The state of a domain after a look. */
export function afterLook(watched: WatchedDomain, look: Look): DomainAfterLook {
  const { domain, misses } = watched;
  if (look === 'proven') return { state: 'verified', problem: undefined, misses: 0, nextLookSeconds: watchSeconds };
  const nextLookSeconds = domain.state === 'pending' ? untilNextOf(watched.ageSeconds) : watchSeconds;
  if (look.code === 'dns.failed') return { state: domain.state, problem: look, misses, nextLookSeconds };
  const missing = { ...watched, misses: misses + 1 };
  return { state: stateWithout(missing), problem: look, misses: misses + 1, nextLookSeconds };
}

function stateWithout({ domain: { state }, misses, missingSeconds, stateSeconds }: WatchedDomain): DomainState {
  if (state === 'verified' && misses >= toleratedMisses && missingSeconds >= toleratedSeconds) return 'lapsing';
  return state === 'lapsing' && stateSeconds >= lapsingSeconds ? 'lapsed' : state;
}

/** How long until a pending domain of this age is looked at again. */
const untilNextOf = (ageSeconds: number): number => {
  const next = firstLooks.find((seconds) => seconds > ageSeconds);
  return next === undefined ? laterLooks : next - ageSeconds;
};
