import type { Repositories, UnitOfWork } from '@zonewright/core';
import { ResultAsync } from 'neverthrow';
import { memoryAccounts } from './accounts.ts';
import { memoryApiTokens } from './api-tokens.ts';
import { memoryAuditLog } from './audit-log.ts';
import { memoryBackends } from './backends.ts';
import { memoryBasicAuthUsers } from './basic-auth-users.ts';
import { memoryChallenges } from './challenges.ts';
import { memoryHistory } from './history.ts';
import { memoryInvitations } from './invitations.ts';
import { memoryLoadBalancers } from './load-balancers.ts';
import { memoryMailedTokens } from './mailed-tokens.ts';
import { memoryOrganizations } from './organizations.ts';
import { memoryOriginServers } from './origin-servers.ts';
import { memoryOutbox } from './outbox.ts';
import { memoryRefreshTokens } from './refresh-tokens.ts';
import { memoryRules, requireCompleteOrders } from './rules.ts';
import { memorySessions } from './sessions.ts';
import { copyOf, emptyTables, replaceContents, type Tables, type Unit } from './tables.ts';
import { memoryTwoFactors } from './two-factors.ts';
import { memoryZones } from './zones.ts';

/**
 * All storage in memory, with the same promises as a database: units run one after another, each on a copy of the
 * tables whose contents take the place of the old ones when the unit ends in Ok.
 */
export class MemoryUnitOfWork implements UnitOfWork {
  readonly #now: () => Date;
  readonly #tables = emptyTables();
  #commits = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ now = () => new Date() }: { readonly now?: () => Date } = {}) {
    this.#now = now;
  }

  run<T, E>(work: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E> {
    const arrivedAfter = this.#commits;
    const done = this.#last.then(async () => {
      const draft = copyOf(this.#tables);
      const result = await work(repositoriesOn(this.#unit(draft, arrivedAfter)));
      if (result.isOk()) this.#commit(draft);
      return result;
    });
    this.#last = done.catch(() => undefined);
    return new ResultAsync(done);
  }

  view<T, E>(read: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E> {
    const result = async () => read(repositoriesOn(this.#unit(this.#tables, this.#commits)));
    return new ResultAsync(result());
  }

  /** Changes stored rows directly: for tests that need a state no use case leads to. */
  arrange(change: (tables: Tables) => void): void {
    change(this.#tables);
  }

  #commit(draft: Tables): void {
    requireCompleteOrders(draft);
    replaceContents(this.#tables, draft);
    this.#commits += 1;
  }

  #unit(tables: Tables, arrivedAfter: number): Unit {
    return { tables, now: this.#now, arrivedAfter, commit: this.#commits + 1 };
  }
}

const repositoriesOn = (unit: Unit): Repositories => ({
  accounts: memoryAccounts(unit),
  mailedTokens: memoryMailedTokens(unit),
  sessions: memorySessions(unit),
  refreshTokens: memoryRefreshTokens(unit),
  challenges: memoryChallenges(unit),
  twoFactors: memoryTwoFactors(unit),
  apiTokens: memoryApiTokens(unit),
  organizations: memoryOrganizations(unit),
  invitations: memoryInvitations(unit),
  zones: memoryZones(unit),
  history: memoryHistory(unit),
  rules: memoryRules(unit),
  basicAuthUsers: memoryBasicAuthUsers(unit),
  backends: memoryBackends(unit),
  originServers: memoryOriginServers(unit),
  loadBalancers: memoryLoadBalancers(unit),
  outbox: memoryOutbox(unit),
  auditLog: memoryAuditLog(unit),
});
