import type { BasicAuthUserId, Email, OrganizationId, Role, UnitOfWork, UserId } from '@zonewright/core';

/**
 * The storage of one adapter, with what the contracts need and no port offers: time that passes, changes that no
 * use case makes, and a look at what is kept.
 */
export interface Storage extends Changes {
  readonly unitOfWork: UnitOfWork;
  /** Whether two units can be open at the same time. If not, a unit starts when the one before it has ended. */
  readonly unitsOverlap: boolean;
  /** Whether a unit, or one of the changes below, stands still at this moment until another one ends. */
  isWaiting(): Promise<boolean>;
  /** Makes everything that is stored older, as if so many seconds had passed. */
  passTime(seconds: number): Promise<void>;
  /** Number of refresh tokens that are neither used nor expired, in sessions that nobody ended. */
  liveRefreshTokens(user: UserId): Promise<number>;
  /** Number of mails in the outbox whose contents are still there. */
  mailContents(): Promise<number>;
  /** The password hash that proxies get for a basic-auth user. */
  basicAuthHash(user: BasicAuthUserId): Promise<string>;
  /** Called when the test is over. */
  close(): Promise<void>;
}

/** Changes that someone else makes. Each is a unit of its own and waits for locks like one. */
export interface Changes {
  /** What proves the user's identity changes: a value from before proves nothing any more. */
  changeCredentials(user: UserId): Promise<void>;
  changeAddress(user: UserId, email: Email): Promise<void>;
  forgetPassword(user: UserId): Promise<void>;
  linkProvider(user: UserId, provider: string): Promise<void>;
  /** Gives the user a role in the organization, or takes the membership away. */
  setRole(organization: OrganizationId, user: UserId, role: Role | undefined): Promise<void>;
}

/** Opens empty storage that no other test writes to. */
export type OpenStorage = () => Promise<Storage>;
