import type { ResultAsync } from 'neverthrow';
import type { UserId, ZoneId } from './kernel/shared/ids.ts';
import type { UnitOfWork } from './kernel/shared/unit-of-work.ts';
import type { AuthenticatedCaller, CallerError, PlausibleCredential } from './organizations/access/credential.ts';
import type { Repositories } from './use-cases.ts';
import type { ListZonesQuery } from './zones/zones/ports.ts';

/** Storage of the whole domain. */
export interface DomainStorage extends UnitOfWork<Repositories> {
  /** Opens storage for one request of the credential's holder. Reads nothing yet. */
  session(credential: PlausibleCredential, subject?: Subject, options?: SessionOptions): StorageSession;
}

/** What a request gives its storage. */
export interface SessionOptions {
  /** Where long texts are read; without it, at once. */
  readonly memory?: MemoryReservation;
}

/** Memory for the long texts that one request reads outside transactions. */
export interface MemoryReservation {
  /** Waits until the given number of bytes may be read for the user. A rejection, if they do not fit, ends the read. */
  reserve(user: UserId, bytes: number): Promise<void>;
}

/**
 * What a request is about, as far as its address says. It changes no result: storage may read it along with the caller,
 * so that the use case finds it there.
 */
export type Subject =
  /** The caller's own profile. */
  | { readonly kind: 'profile' }
  /** A zone that is read. */
  | { readonly kind: 'zone'; readonly id: ZoneId }
  /** A zone that is changed, or something in it. */
  | { readonly kind: 'zone change'; readonly id: ZoneId }
  /** A page of the zones that the caller may list. */
  | { readonly kind: 'zone list'; readonly query: ListZonesQuery };

/**
 * Storage for one request: the units of work of its caller. What it reads ahead is used at most once and never after a
 * unit has written, so that its reads are as current as the request.
 */
export interface StorageSession extends DomainStorage {
  /**
   * The holder of the credential with all memberships that it grants, as of now. Records the use of an API token at
   * most once a minute. `Unauthenticated`: the session has ended or expired, the token is revoked or expired, or the
   * account is not active. `ForeignNetwork`: the token is not for use from its address; that is no use of it.
   */
  caller(): ResultAsync<AuthenticatedCaller, CallerError>;
}
