import {
  type Domain,
  type DomainLooks,
  type DomainNameTaken,
  type DomainNotFound,
  type DomainProblem,
  type Domains,
  domainInUse,
  domainNameTaken,
  domainNotFound,
  type WatchedDomain,
} from '@zonewright/core';
import { err, ok, type Result, ResultAsync } from 'neverthrow';
import type { Connection } from './database.ts';
import { brokenForeignKey } from './failures.ts';
import { many, maybe, one, pageOf, required } from './query.ts';
import { sql } from './sql.ts';
import { timed } from './timed.ts';

interface Row extends Omit<Domain, 'checkedAt' | 'verifiedAt' | 'problem'> {
  readonly checkedAt: Date | null;
  readonly verifiedAt: Date | null;
  readonly problem: DomainProblem['code'] | null;
  readonly problemMessage: string | null;
}

export const postgresDomains = (on: Connection): Domains => ({
  add: (domain) => required<Row, DomainNameTaken>(on, sql.domains.add, domain, domainNameTaken).map(domainOf),
  list: (organization, page) => pageOf(on, sql.domains, { organization }, page, domainOf),
  byId: (organization, id) =>
    required<Row, DomainNotFound>(on, sql.domains.byId, { organization, id }, domainNotFound).map(domainOf),
  count: (organization) => one<{ total: number }>(on, sql.domains.total, { organization }).map(({ total }) => total),
  named: (organization, names) =>
    many<Row>(on, sql.domains.named, { organization, names }).map((rows) => rows.map(domainOf)),
  remove: (organization, id) =>
    ResultAsync.fromPromise(
      timed(on, () => on.oneOrNone<{ isInUse: boolean }>(sql.domains.remove.prepared({ organization, id }))),
      (failure) => {
        // A change has claimed a host name after the statement looked.
        if (brokenForeignKey(failure) === 'host_names_domain') return domainInUse();
        throw failure;
      },
    ).andThen((row): Result<void, DomainNotFound | ReturnType<typeof domainInUse>> => {
      if (row === null) return err(domainNotFound());
      return row.isInUse ? err(domainInUse()) : ok();
    }),
});

type WatchedRow = Row & Omit<WatchedDomain, 'domain'>;

export const postgresDomainLooks = (on: Connection): DomainLooks => ({
  claim: (leaseSeconds) => maybe<Row>(on, sql.domainLooks.claim, { leaseSeconds }).map((row) => row && domainOf(row)),
  lock: (id) =>
    required<WatchedRow, DomainNotFound>(on, sql.domainLooks.lock, { id }, domainNotFound).map(
      ({ ageSeconds, stateSeconds, misses, missingSeconds, ...row }) => ({
        domain: domainOf(row),
        ageSeconds,
        stateSeconds,
        misses,
        missingSeconds,
      }),
    ),
  record: (id, { state, problem, misses, nextLookSeconds }) =>
    one<Row>(on, sql.domainLooks.record, {
      id,
      state,
      isVerified: state === 'verified',
      problem: problem?.code ?? null,
      problemMessage: problem?.message ?? null,
      misses,
      nextLookSeconds,
    }).map(domainOf),
});

const domainOf = ({ checkedAt, verifiedAt, problem, problemMessage, ...row }: Row): Domain => ({
  ...row,
  checkedAt: checkedAt ?? undefined,
  verifiedAt: verifiedAt ?? undefined,
  problem: problem === null ? undefined : { code: problem, message: problemMessage ?? '' },
});
