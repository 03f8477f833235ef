import type { Client } from '../../kernel/shared/client.ts';
import type { ApiTokenId, OrganizationId, ProviderId, SessionId, UserId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Role, TokenPermission } from './role.ts';

/** The ways to confirm a session: what proves again that its user is the one who signed in. */
export const confirmationMethods = ['password', 'code', 'passkey', 'provider'] as const;
export type ConfirmationMethod = (typeof confirmationMethods)[number];

/** The credential that authenticated the caller. */
export type CallerCredential =
  | {
      readonly kind: 'session';
      readonly id: SessionId;
      /** The identity provider that the user signed in by, if any. */
      readonly provider: string | undefined;
      /** Whether the user signed in, or confirmed the session, within `confirmationSeconds`. */
      readonly confirmed: boolean;
      /**
       * How the session can be confirmed: by every factor that was enrolled before it began or by a confirmed session. A
       * user without such a factor signs in by a provider again.
       */
      readonly confirmableBy: readonly ConfirmationMethod[];
    }
  /** An operator acting on behalf of the user. */
  | { readonly kind: 'operator'; readonly id: 'operator' }
  | {
      readonly kind: 'apiToken';
      readonly id: ApiTokenId;
      readonly readOnly: boolean;
      /** Limited to some of the user's organizations; organizations joined later are not included. */
      readonly scoped: boolean;
      readonly permissions: readonly TokenPermission[];
      /** The only zones that exist for the token; undefined: all that its owner may see. */
      readonly zones: readonly ZoneId[] | undefined;
    };

/** The caller's membership of one organization, as of now. */
export interface Membership {
  readonly role: Role;
  /**
   * The organization requires two-factor authentication and the caller has not enabled it: everything in it is off
   * limits.
   */
  readonly needsTwoFactor: boolean;
  /** The identity provider that the organization requires sessions to come from, if any. */
  readonly requiredProvider?: ProviderId;
}

/** An authenticated caller, with the rights that both their current memberships and their credential allow. */
export interface Caller {
  readonly userId: UserId;
  readonly credential: CallerCredential;
  readonly memberships: ReadonlyMap<OrganizationId, Membership>;
  readonly client: Client;
}

/** The caller, with the client a request comes from. */
export const callerFrom = ({ userId, credential, memberships }: Omit<Caller, 'client'>, client: Client): Caller => ({
  userId,
  credential,
  memberships,
  client,
});

/** A caller who signed in, rather than a program with an API token. */
export interface SessionCaller extends Caller {
  readonly credential: Extract<CallerCredential, { kind: 'session' }>;
}

/** Whether the caller signed in, so there is a session to end or to keep. */
export const isSessionCaller = (caller: Caller): caller is SessionCaller => caller.credential.kind === 'session';
