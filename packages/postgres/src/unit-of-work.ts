import { setTimeout as pause } from 'node:timers/promises';
import type { Repositories, SecretBox, UnitOfWork } from '@zonewright/core';
import { err, type Result, ResultAsync } from 'neverthrow';
import { postgresAccounts } from './accounts.ts';
import { postgresApiTokens } from './api-tokens.ts';
import { postgresAuditLog } from './audit-log.ts';
import { postgresBackends } from './backends.ts';
import { postgresBasicAuthUsers } from './basic-auth-users.ts';
import { postgresChallenges } from './challenges.ts';
import { postgresConfigurationRules } from './configuration-rules.ts';
import type { Connection, Database } from './database.ts';
import { isConflict, storageFailure } from './failures.ts';
import { postgresInvitations } from './invitations.ts';
import { postgresLoadBalancers } from './load-balancers.ts';
import { postgresMailedTokens } from './mailed-tokens.ts';
import { postgresOrganizations } from './organizations.ts';
import { postgresOriginServers } from './origin-servers.ts';
import { postgresOutbox } from './outbox.ts';
import { postgresRefreshTokens } from './refresh-tokens.ts';
import { postgresSessions } from './sessions.ts';
import { postgresTwoFactors } from './two-factors.ts';
import { postgresZones } from './zones.ts';

const greatestRetries = 3;

/** What encrypts the values that must not be readable in the database. */
export interface SecretBoxes {
  /** Mails that wait for delivery. */
  readonly outbox: SecretBox;
  /** Shared secrets of authenticator apps. */
  readonly totp: SecretBox;
}

/** A unit that ended in Err, on its way through pg-promise, whose only signal to roll back is a rejection. */
class Rollback {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/** Storage in PostgreSQL at READ COMMITTED: locks and conditional statements settle every race. */
export class PostgresUnitOfWork implements UnitOfWork {
  readonly #database: Database;
  readonly #boxes: SecretBoxes;

  constructor(database: Database, boxes: SecretBoxes) {
    this.#database = database;
    this.#boxes = boxes;
  }

  run<T, E>(work: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E> {
    return new ResultAsync(this.#committed(work, greatestRetries));
  }

  view<T, E>(read: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E> {
    const result = async () => read(repositoriesOn(this.#database, this.#boxes));
    return new ResultAsync(result().catch(rethrow));
  }

  async #committed<T, E>(
    work: (repositories: Repositories) => ResultAsync<T, E>,
    retries: number,
  ): Promise<Result<T, E>> {
    try {
      return await this.#database.tx(async (transaction) => {
        const result = await work(repositoriesOn(transaction, this.#boxes));
        // oxlint-disable-next-line typescript/only-throw-error -- no failure, so it needs no stack
        if (result.isErr()) throw new Rollback(result.error);
        return result;
      });
    } catch (error) {
      if (error instanceof Rollback) return err(error.error as E);
      if (retries === 0 || !isConflict(error)) return rethrow(error);
      await pause(Math.random() * 50);
      return this.#committed(work, retries - 1);
    }
  }
}

function rethrow(error: unknown): never {
  throw storageFailure(error);
}

const repositoriesOn = (connection: Connection, boxes: SecretBoxes): Repositories => ({
  accounts: postgresAccounts(connection),
  mailedTokens: postgresMailedTokens(connection),
  sessions: postgresSessions(connection),
  refreshTokens: postgresRefreshTokens(connection),
  challenges: postgresChallenges(connection),
  twoFactors: postgresTwoFactors(connection, boxes.totp),
  apiTokens: postgresApiTokens(connection),
  organizations: postgresOrganizations(connection),
  invitations: postgresInvitations(connection),
  zones: postgresZones(connection),
  configurationRules: postgresConfigurationRules(connection),
  basicAuthUsers: postgresBasicAuthUsers(connection),
  backends: postgresBackends(connection),
  originServers: postgresOriginServers(connection),
  loadBalancers: postgresLoadBalancers(connection),
  outbox: postgresOutbox(connection, boxes.outbox),
  auditLog: postgresAuditLog(connection),
});
