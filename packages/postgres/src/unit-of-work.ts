import type { Repositories, SecretBox, UnitOfWork } from '@zonewright/core';
import { ResultAsync } from 'neverthrow';
import { postgresAccounts, postgresCredentials, postgresOwnAccount } from './accounts.ts';
import { postgresApiTokens } from './api-tokens.ts';
import { postgresAuditLog } from './audit-log.ts';
import { postgresBackends } from './backends.ts';
import { postgresBasicAuthUsers } from './basic-auth-users.ts';
import { postgresChallenges } from './challenges.ts';
import type { Connection, Database } from './database.ts';
import { rethrow } from './failures.ts';
import { postgresZoneHistory } from './history.ts';
import { postgresInvitations, postgresInvitationTokens } from './invitations.ts';
import { postgresLoadBalancers } from './load-balancers.ts';
import { postgresMailedTokens } from './mailed-tokens.ts';
import { postgresMembers } from './members.ts';
import { postgresMemberships } from './memberships.ts';
import { postgresOrganizations } from './organizations.ts';
import { postgresOriginServers } from './origin-servers.ts';
import { postgresOutbox } from './outbox.ts';
import { postgresOwnZones, type ZoneMemory, zoneMemory } from './own-zones.ts';
import { postgresRefreshTokens } from './refresh-tokens.ts';
import { postgresRules } from './rules.ts';
import { postgresSessions } from './sessions.ts';
import { postgresSignIns } from './sign-ins.ts';
import { alone, ambientTransaction, committed, undoable } from './transaction.ts';
import { postgresTwoFactors } from './two-factors.ts';
import { postgresZones } from './zones.ts';

/** What encrypts the values that must not be readable in the database. */
export interface SecretBoxes {
  /** Mails that wait for delivery. */
  readonly outbox: SecretBox;
  /** Shared secrets of authenticator apps. */
  readonly totp: SecretBox;
}

/** Storage in PostgreSQL at READ COMMITTED: locks and conditional statements settle every race. */
export class PostgresUnitOfWork implements UnitOfWork {
  readonly #database: Database;
  readonly #boxes: SecretBoxes;
  readonly #memory = zoneMemory();

  constructor(database: Database, boxes: SecretBoxes) {
    this.#database = database;
    this.#boxes = boxes;
  }

  run<T, E>(work: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E> {
    const outer = ambientTransaction(this.#database);
    const unit = (transaction: Connection) => work(this.#repositoriesOn(transaction));
    return new ResultAsync(outer === undefined ? committed(this.#database, unit) : undoable(outer, unit));
  }

  single<T, E>(work: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E> {
    const outer = ambientTransaction(this.#database);
    const unit = (connection: Connection) => work(this.#repositoriesOn(connection));
    return new ResultAsync(outer === undefined ? alone(this.#database, unit) : undoable(outer, unit));
  }

  view<T, E>(read: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E> {
    const outer = ambientTransaction(this.#database);
    const result = async () => read(this.#repositoriesOn(outer ?? this.#database));
    return new ResultAsync(outer === undefined ? result().catch(rethrow) : result());
  }

  #repositoriesOn(connection: Connection): Repositories {
    return repositoriesOn(connection, this.#boxes, this.#memory);
  }
}

const repositoriesOn = (connection: Connection, boxes: SecretBoxes, memory: ZoneMemory): Repositories => ({
  accounts: postgresAccounts(connection),
  ownAccount: postgresOwnAccount(connection),
  credentials: postgresCredentials(connection),
  mailedTokens: postgresMailedTokens(connection),
  sessions: postgresSessions(connection),
  signIns: postgresSignIns(connection),
  refreshTokens: postgresRefreshTokens(connection),
  challenges: postgresChallenges(connection),
  twoFactors: postgresTwoFactors(connection, boxes.totp),
  apiTokens: postgresApiTokens(connection),
  organizations: postgresOrganizations(connection),
  members: postgresMembers(connection),
  memberships: postgresMemberships(connection),
  invitations: postgresInvitations(connection),
  invitationTokens: postgresInvitationTokens(connection),
  zones: postgresZones(connection, memory),
  ownZones: postgresOwnZones(connection, memory),
  history: postgresZoneHistory(connection),
  rules: postgresRules(connection),
  basicAuthUsers: postgresBasicAuthUsers(connection),
  backends: postgresBackends(connection),
  originServers: postgresOriginServers(connection),
  loadBalancers: postgresLoadBalancers(connection),
  outbox: postgresOutbox(connection, boxes.outbox),
  auditLog: postgresAuditLog(connection),
});
