import type { Client } from '../shared/client.ts';
import type { ApiTokenId, OrganizationId, SessionId, UserId } from '../shared/ids.ts';
import type { Role } from './role.ts';

/** What proved who calls. */
export type CallerCredential =
  | { readonly kind: 'session'; readonly id: SessionId }
  /** An operator acts for the user. */
  | { readonly kind: 'operator'; readonly id: 'operator' }
  | {
      readonly kind: 'apiToken';
      readonly id: ApiTokenId;
      readonly readOnly: boolean;
      /** Made for some of the user's organizations, and for no other that there is or will be. */
      readonly scoped: boolean;
    };

/** What the caller is in one organization at this moment. */
export interface Membership {
  readonly role: Role;
  /** The organization demands a second factor and the caller has none: nothing in it may be seen or done. */
  readonly needsTwoFactor: boolean;
}

/** Who calls, proven by a live credential, with the rights they have at this moment and this credential lends. */
export interface Caller {
  readonly userId: UserId;
  readonly credential: CallerCredential;
  readonly memberships: ReadonlyMap<OrganizationId, Membership>;
  readonly client: Client;
}

/** A caller who signed in, as opposed to a program with an API token. */
export interface SessionCaller extends Caller {
  readonly credential: Extract<CallerCredential, { kind: 'session' }>;
}

/** Whether the caller signed in, so that the session has an id to end or to keep. */
export const isSessionCaller = (caller: Caller): caller is SessionCaller => caller.credential.kind === 'session';

/** What the audit log keeps of the credential: the id of the session or of the API token. */
export const credentialId = ({ credential }: Caller): string => credential.id;
