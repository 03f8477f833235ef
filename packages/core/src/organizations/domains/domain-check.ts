import { okAsync, type ResultAsync } from 'neverthrow';
import type { Dns } from './dns.ts';
import { type Domain, type DomainProblem, type DomainState, verificationRecord } from './domain.ts';

/** What a check found: the record, or a problem. */
export type DomainCheck = 'proven' | DomainProblem;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** A pending domain is checked this long after it was added, and every six hours from then on. */
const firstChecks: readonly number[] = [minute, 5 * minute, 15 * minute, hour];
const laterChecks = 6 * hour;
/** Others are checked once a day. */
const watchSeconds = day;

/** A verified domain lapses after this many checks without the record, of which the first was so long ago. */
const toleratedMisses = 3;
const toleratedSeconds = 48 * hour;

/** How long a lapsing domain still covers its host names: seven days. */
export const lapsingSeconds = 7 * day;

/** How much of foreign texts is shown. */
const maxShownCharacters = 200;

/** A domain with what a check of it depends on; seconds are by the clock of storage. */
export interface WatchedDomain {
  readonly domain: Domain;
  /** Since it was added. */
  readonly ageSeconds: number;
  /** Since its state changed. */
  readonly stateSeconds: number;
  /** Checks without the record in a row, not counting those that failed. */
  readonly misses: number;
  /** Since the first of them. */
  readonly missingSeconds: number;
}

/** A domain as a check leaves it. */
export interface DomainAfterCheck {
  readonly state: DomainState;
  readonly problem: DomainProblem | undefined;
  readonly misses: number;
  readonly nextCheckSeconds: number;
}

/** How long after it was added a pending domain is checked for the first time. */
export const firstCheckSeconds = minute;

/** Looks for the record of a domain in DNS. */
export const checkDomain = (dns: Dns, domain: Pick<Domain, 'name' | 'proof'>): ResultAsync<DomainCheck, never> => {
  const record = verificationRecord(domain);
  return dns
    .texts(record.name)
    .map((texts): DomainCheck => (texts.includes(record.value) ? 'proven' : otherValue(texts)))
    .orElse(({ reason }) => dnsAnswered(problems[reason]));
};

const dnsAnswered = (problem: DomainProblem): ResultAsync<DomainCheck, never> => okAsync<DomainCheck>(problem);

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

/** The state of a domain after a check. */
export function afterCheck(watched: WatchedDomain, check: DomainCheck): DomainAfterCheck {
  const { domain, misses } = watched;
  if (check === 'proven') return { state: 'verified', problem: undefined, misses: 0, nextCheckSeconds: watchSeconds };
  const nextCheckSeconds = domain.state === 'pending' ? untilNextOf(watched.ageSeconds) : watchSeconds;
  if (check.code === 'dns.failed') return { state: domain.state, problem: check, misses, nextCheckSeconds };
  const missing = { ...watched, misses: misses + 1 };
  return { state: stateWithout(missing), problem: check, misses: misses + 1, nextCheckSeconds };
}

function stateWithout({ domain: { state }, misses, missingSeconds, stateSeconds }: WatchedDomain): DomainState {
  if (state === 'verified' && misses >= toleratedMisses && missingSeconds >= toleratedSeconds) return 'lapsing';
  return state === 'lapsing' && stateSeconds >= lapsingSeconds ? 'lapsed' : state;
}

/** How long until a pending domain of this age is checked again. */
const untilNextOf = (ageSeconds: number): number => {
  const next = firstChecks.find((seconds) => seconds > ageSeconds);
  return next === undefined ? laterChecks : next - ageSeconds;
};
