import {
  type Domain,
  type DomainChecks,
  type DomainNotFound,
  type DomainProblem,
  type Domains,
  domainInUse,
  domainNameTaken,
  domainNotFound,
  type WatchedDomain,
} from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { many, mapConstraints, maybe, one, pageOf, required, value } from '../connection/query.ts';
import { sql } from '../sql.ts';

interface Row extends Omit<Domain, 'checkedAt' | 'verifiedAt' | 'problem'> {
  readonly checkedAt: Date | null;
  readonly verifiedAt: Date | null;
  readonly problem: DomainProblem['code'] | null;
  readonly problemMessage: string | null;
}

export const postgresDomains = (on: Connection): Domains => ({
  add: (domain) => required<Row>(on, sql.domains.add, domain).mapErr(domainNameTaken).map(domainOf),
  list: (organization, page) => pageOf(on, sql.domains, { organization }, page, domainOf),
  byId: (organization, id) =>
    required<Row>(on, sql.domains.byId, { organization, id }).mapErr(domainNotFound).map(domainOf),
  count: (organization) => value<number>(on, sql.domains.total, { organization }),
  named: (organization, names) =>
    many<Row>(on, sql.domains.named, { organization, names }).map((rows) => rows.map(domainOf)),
  remove: (organization, id) =>
    // The constraint is broken if a change has claimed a host name after the statement looked.
    mapConstraints(maybe<{ isInUse: boolean }>(on, sql.domains.remove, { organization, id }), {
      host_names_domain: domainInUse,
    }).andThen((row): Result<void, DomainNotFound | ReturnType<typeof domainInUse>> => {
      if (row === undefined) return err(domainNotFound());
      return row.isInUse ? err(domainInUse()) : ok();
    }),
});

type WatchedRow = Row & Omit<WatchedDomain, 'domain'>;

export const postgresDomainChecks = (on: Connection): DomainChecks => ({
  claim: (leaseSeconds) => maybe<Row>(on, sql.domainChecks.claim, { leaseSeconds }).map((row) => row && domainOf(row)),
  lock: (id) =>
    required<WatchedRow>(on, sql.domainChecks.lock, { id })
      .mapErr(domainNotFound)
      .map(({ ageSeconds, stateSeconds, misses, missingSeconds, ...row }) => ({
        domain: domainOf(row),
        ageSeconds,
        stateSeconds,
        misses,
        missingSeconds,
      })),
  record: (id, { state, problem, misses, nextCheckSeconds }) =>
    one<Row>(on, sql.domainChecks.record, {
      id,
      state,
      isVerified: state === 'verified',
      problem: problem?.code ?? null,
      problemMessage: problem?.message ?? null,
      misses,
      nextCheckSeconds,
    }).map(domainOf),
});

const domainOf = ({ checkedAt, verifiedAt, problem, problemMessage, ...row }: Row): Domain => ({
  ...row,
  checkedAt: checkedAt ?? undefined,
  verifiedAt: verifiedAt ?? undefined,
  problem: problem === null ? undefined : { code: problem, message: problemMessage ?? '' },
});
