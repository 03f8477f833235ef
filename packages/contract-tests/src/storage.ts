import type { BasicAuthUserId, DomainStorage, Email, OrganizationId, Role, UserId } from '@zonewright/core';

/**
 * The storage of one adapter, with what the contracts need beyond the ports: passing time, changes that no use case
 * makes, and a look inside.
 */
export interface Storage extends Changes {
  readonly unitOfWork: DomainStorage;
  /** Whether two units can be open at the same time. If not, each unit starts when the previous one has ended. */
  readonly unitsOverlap: boolean;
  /** Whether a unit, or one of the changes below, is currently waiting for another one. */
  isWaiting(): Promise<boolean>;
  /** Ages everything stored, as if the given number of seconds had passed. */
  passTime(seconds: number): Promise<void>;
  /** The number of unused, unexpired refresh tokens in sessions that have not ended. */
  liveRefreshTokens(user: UserId): Promise<number>;
  /** The number of mails in the outbox whose content still exists. */
  mailContents(): Promise<number>;
  /** A basic-auth user's password hash as proxies get it. */
  basicAuthHash(user: BasicAuthUserId): Promise<string>;
  /** Called after the test. */
  close(): Promise<void>;
}

/** Concurrent changes by others. Each is a separate unit and waits for locks like one. */
export interface Changes {
  /** Changes the credentials, which voids everything issued under the previous ones. */
  changeCredentials(user: UserId): Promise<void>;
  changeAddress(user: UserId, email: Email): Promise<void>;
  forgetPassword(user: UserId): Promise<void>;
  /** Sets the user's role in the organization, or removes the membership. */
  setRole(organization: OrganizationId, user: UserId, role: Role | undefined): Promise<void>;
}

/** Opens empty storage that no other test uses. */
export type OpenStorage = () => Promise<Storage>;
