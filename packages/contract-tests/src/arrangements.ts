import type {
  AddedUser,
  AssertionResponse,
  AuthenticatedCaller,
  BackendId,
  BasicAuthUser,
  LoadBalancerOrigin,
  Organization,
  OrganizationId,
  PlausibleCredential,
  ProviderId,
  Repositories,
  Role,
  Rule,
  RuleKind,
  RuleList,
  RuleOrder,
  SessionCaller,
  TokenHash,
  TotpSecret,
  UserId,
  UsersPlan,
  WrittenLoadBalancer,
  WrittenOriginServer,
  WrittenRule,
  Zone,
  ZoneChanges,
  ZoneId,
  ZoneNameTaken,
  ZoneNotFound,
  ZonePlan,
  ZoneState,
} from '@zonewright/core';
import { BackendReference, emailKey, jsonDocument, listPlans, ZoneSettings } from '@zonewright/core';
import { expect } from 'chai';
import { err, errAsync, ok, type ResultAsync } from 'neverthrow';
import {
  aBasicAuthUser,
  aChange,
  aLoadBalancer,
  anAccount,
  anApiToken,
  anIdentity,
  anOrganizationName,
  anOrigin,
  anOriginServer,
  aPasskey,
  aRule,
  aSession,
  aSessionId,
  aTokenHash,
  aTotpSecret,
  aUserId,
  aZone,
  type NewAccount,
  type NewIdentity,
  type NewPasskey,
  type NewSession,
  type NewZone,
  noClient,
} from './builders.ts';
import { errorOf, okOf, readView, runUnit } from './results.ts';
import type { Storage } from './storage.ts';

/** Runs a unit whose work succeeds, and which is then rolled back. */
export async function rollBack(
  { unitOfWork }: Storage,
  work: (repositories: Repositories) => ResultAsync<unknown, unknown>,
): Promise<void> {
  const unit = unitOfWork.run((repositories) => work(repositories).andThen(() => errAsync('undo')));
  expect(await errorOf(unit)).to.equal('undo');
}

/** Stores an account with a verified address. */
export const storedAccount = (storage: Storage, given: Partial<NewAccount> = {}): Promise<NewAccount> => {
  const account = anAccount(given);
  return runUnit(storage, ({ accounts }) =>
    accounts
      .add(account)
      .andThen(() => accounts.markEmailVerified(account.id, emailKey(account.email)))
      .map(() => account),
  );
};

/** The user that the test names, or a new one. */
export const userOf = async (storage: Storage, given: { readonly userId?: UserId }): Promise<UserId> =>
  given.userId ?? (await storedAccount(storage)).id;

/** Stores an account whose address is not verified. */
export const storedUnverified = (storage: Storage): Promise<NewAccount> => {
  const account = anAccount();
  return runUnit(storage, ({ accounts }) => accounts.add(account).map(() => account));
};

/** Links an identity to an account, by default to a new one. */
export const storedIdentity = async (storage: Storage, given: Partial<NewIdentity> = {}): Promise<NewIdentity> => {
  const identity = anIdentity({ ...given, userId: await userOf(storage, given) });
  return runUnit(storage, ({ identities }) => identities.link(identity).map(() => identity));
};

/** Blocks an account in its own unit. */
export const block = (storage: Storage, user: UserId): Promise<void> =>
  runUnit(storage, ({ accountBlocks }) => accountBlocks.block(user));

/** Opens a session with a first refresh token, by default of a new user. */
export const storedSession = async (
  storage: Storage,
  given: Partial<NewSession> = {},
  token: { readonly hash?: TokenHash; readonly lifetimeSeconds?: number } = {},
) => {
  const session = aSession({ ...given, userId: await userOf(storage, given) });
  const first = { hash: aTokenHash(), sessionId: session.id, lifetimeSeconds: 1000, ...token };
  return runUnit(storage, ({ sessions, refreshTokens }) =>
    sessions
      .open(session)
      .andThen(() => refreshTokens.add(first))
      .map(() => ({ ...session, sessionId: session.id, token: first.hash })),
  );
};

/** An account, the organization it owns, and its caller for use cases. */
export interface Owner {
  readonly userId: UserId;
  readonly organizationId: OrganizationId;
  readonly caller: SessionCaller;
}

/** Stores an account and the organization it owns. */
export async function storedOwner(storage: Storage): Promise<Owner> {
  const { id: userId } = await storedAccount(storage);
  const { id: organizationId } = await runUnit(storage, ({ organizations }) =>
    organizations.create({ name: anOrganizationName(), owner: userId }),
  );
  return { userId, organizationId, caller: callerWith(userId, organizationId, 'owner') };
}

/** How a session with a password stands right after the sign-in. */
export const justSignedIn = { provider: undefined, confirmed: true, confirmableBy: ['password'] } as const;

/** A caller whose only membership is this one. */
export const callerWith = (userId: UserId, organization: OrganizationId, role: Role): SessionCaller => ({
  userId,
  credential: { kind: 'session', id: aSessionId(), ...justSignedIn },
  memberships: new Map([[organization, { role, needsTwoFactor: false }]]),
  client: noClient,
});

/** Enables two-factor authentication; resolves to the secret. */
export const storedSecondFactor = (storage: Storage, user: UserId): Promise<TotpSecret> => {
  const secret = aTotpSecret();
  return runUnit(storage, ({ twoFactors }) =>
    twoFactors
      .begin({ user, secret, lifetimeSeconds: 900 })
      .andThen(() => twoFactors.enable(user, { confirmed: true }))
      .map(() => secret),
  );
};

/** Stores a passkey, by default of a new user. */
export async function storedPasskey(storage: Storage, given: Partial<NewPasskey> = {}): Promise<NewPasskey> {
  const passkey = aPasskey({ ...given, userId: await userOf(storage, given) });
  await runUnit(storage, ({ passkeys }) => passkeys.add(passkey));
  return passkey;
}

/** The response of a passkey to a challenge, as `plainPasskeyCeremonies` takes it. */
export const assertionBy = (
  { credentialId, publicKey, userId }: NewPasskey,
  challenge: string,
  counter = 0,
): AssertionResponse => ({
  id: credentialId,
  rawId: credentialId,
  type: 'public-key',
  response: {
    clientDataJSON: challenge,
    authenticatorData: publicKey,
    signature: String(counter),
    userHandle: userId,
  },
  clientExtensionResults: {},
});

/** Stores an account with a role in an organization. */
export async function storedMember(storage: Storage, organization: OrganizationId, role: Role): Promise<SessionCaller> {
  const { id } = await storedAccount(storage);
  await runUnit(storage, ({ members }) => members.add(organization, id, role));
  return callerWith(id, organization, role);
}

/** Deletes an organization. */
export const removeOrganization = (storage: Storage, id: OrganizationId): Promise<void> =>
  runUnit(storage, ({ organizations }) => organizations.lock(id).andThen(() => organizations.remove(id)));

/** Requires sessions of a provider in an organization. */
export const requireProvider = (
  storage: Storage,
  id: OrganizationId,
  requiredProvider: ProviderId,
): Promise<Organization> =>
  runUnit(storage, ({ organizations }) =>
    organizations
      .lock(id)
      .andThen(({ name, enforceTwoFactor }) => organizations.save(id, { name, enforceTwoFactor, requiredProvider })),
  );

/** Changes whether an organization requires two-factor authentication. */
export const enforceTwoFactor = (storage: Storage, id: OrganizationId, demanded = true): Promise<Organization> =>
  runUnit(storage, ({ organizations }) =>
    organizations.lock(id).andThen(({ name }) => organizations.save(id, { name, enforceTwoFactor: demanded })),
  );

/** A zone and the owner of its organization. */
export interface OwnedZone extends Owner {
  readonly zone: Zone;
}

/** Stores a zone, by default with a new owner. */
export async function storedZone(
  storage: Storage,
  { owner, ...given }: Partial<NewZone> & { readonly owner?: Owner } = {},
): Promise<OwnedZone> {
  const having = owner ?? (await storedOwner(storage));
  const { organizationId, userId } = having;
  const zone = await runUnit(storage, ({ zones }) => zones.add(aZone({ organizationId, createdBy: userId, ...given })));
  return { ...having, zone };
}

/** Applies a change; a superseded one is an error, so that its unit is rolled back. */
export const applying = (
  zoneChanges: ZoneChanges,
  ...change: Parameters<ZoneChanges['apply']>
): ResultAsync<ZoneState, ZoneNameTaken | { readonly type: 'Superseded' }> =>
  zoneChanges
    .apply(...change)
    .andThen((outcome) => (outcome === 'superseded' ? err({ type: 'Superseded' as const }) : ok(outcome)));

/** Makes a plan of the current zone and applies it on behalf of the zone's creator, without any checks. */
export const applied = (
  { zones, zoneChanges }: Repositories,
  zone: ZoneId,
  plan: (state: ZoneState) => ZonePlan,
): ResultAsync<ZoneState, { readonly type: string }> =>
  zones
    .state(zone)
    .andThen((state) => zoneChanges.facts(zone, state.zone.createdBy ?? aUserId()))
    .andThen((facts) => applying(zoneChanges, facts, [], aChange(plan(facts.state))));

/** A plan that replaces a list. */
export const listAs =
  ({ kind }: RuleList, wanted: (rules: readonly WrittenRule[]) => readonly WrittenRule[]) =>
  (state: ZoneState): ZonePlan => ({ lists: listPlans(state, [{ kind, rules: wanted(state.rules[kind]) }]) });

/** A plan that appends rules to a list. */
export const withRules = (list: RuleList, rules: readonly WrittenRule[]) =>
  listAs(list, (those) => [...those, ...rules]);

/** A plan that changes the users of a zone. */
export const withUsers = (users: Partial<UsersPlan>) => (): ZonePlan => ({
  users: { added: [], changed: [], removed: [], ...users },
});

/** Appends rules to a list. */
export const addRules = async (storage: Storage, list: RuleList, rules: readonly WrittenRule[]): Promise<void> => {
  await runUnit(storage, (repositories) => applied(repositories, list.zone, withRules(list, rules)));
};

/** Removes a zone. */
export const removed = ({ zones, zoneChanges }: Repositories, zone: ZoneId): ResultAsync<void, ZoneNotFound> =>
  zoneChanges.lock(zone, aUserId()).andThen(() => zones.remove(zone, undefined));

/** Stores a zone with so many rules of a kind, and resolves to both. */
export async function storedZoneWithRules(storage: Storage, count: number, kind: RuleKind = 'configurationRule') {
  const owned = await storedZone(storage);
  const list: RuleList = { zone: owned.zone.id, kind };
  const rules = Array.from({ length: count }, () => aRule(kind));
  await addRules(storage, list, rules);
  return { ...owned, zoneId: owned.zone.id, list, rules, order: rules.map(({ id }): RuleOrder[number] => id) };
}

/** Stores an origin server. */
export async function storedOriginServer(
  storage: Storage,
  given: Partial<WrittenOriginServer> & Pick<WrittenOriginServer, 'organizationId'>,
): Promise<WrittenOriginServer> {
  const server = anOriginServer(given);
  await runUnit(storage, ({ originServers }) => originServers.add(server, undefined));
  return server;
}

/** Stores a load balancer over the given origins, or over a new origin server. */
export async function storedLoadBalancer(
  storage: Storage,
  {
    origins,
    ...given
  }: Omit<Partial<WrittenLoadBalancer>, 'origins'> &
    Pick<WrittenLoadBalancer, 'organizationId'> & { readonly origins?: readonly LoadBalancerOrigin[] },
): Promise<WrittenLoadBalancer> {
  const balancer = aLoadBalancer({
    origins: origins ?? [anOrigin((await storedOriginServer(storage, { organizationId: given.organizationId })).id)],
    ...given,
  });
  await runUnit(storage, ({ loadBalancers }) => loadBalancers.add(balancer, undefined));
  return balancer;
}

/** The kinds of backends. */
export const backendKinds = ['origin_server', 'load_balancer'] as const;
type Kind = (typeof backendKinds)[number];

/** A reference to a backend as in settings. */
export const referenceTo = (type: Kind, { id }: { readonly id: BackendId }): BackendReference =>
  BackendReference.parse({ type, id });

/** Stores a backend of the kind; resolves to a reference to it. */
export const storedBackend = async (
  storage: Storage,
  type: Kind,
  organizationId: OrganizationId,
): Promise<BackendReference> =>
  referenceTo(
    type,
    await (type === 'origin_server' ? storedOriginServer : storedLoadBalancer)(storage, { organizationId }),
  );

/** Zone settings with a default backend. */
export const zoneSettingsWith = (defaultBackend: BackendReference) =>
  jsonDocument(ZoneSettings.parse({ defaultBackend }));

/** Overrides of a configuration rule with a default backend. */
export const overridesWith = (defaultBackend: BackendReference) => ({ settingsOverrides: { defaultBackend } });

/** The committed rules of a list in evaluation order. */
export const rulesOf = async (storage: Storage, { zone, kind }: RuleList): Promise<readonly Rule[]> =>
  (await readView(storage, ({ zones }) => zones.state(zone))).rules[kind];

/** Adds a basic-auth user to a zone. */
export const storedBasicAuthUser = (
  storage: Storage,
  zone: ZoneId,
  given: Partial<AddedUser> = {},
): Promise<BasicAuthUser> => {
  const user = aBasicAuthUser(given);
  return runUnit(storage, (repositories) =>
    applied(repositories, zone, withUsers({ added: [user] })).andThen(() =>
      repositories.basicAuthUsers.byId(zone, user.id),
    ),
  );
};

/** A live credential of the user; an API token may be scoped to some organizations. */
export async function storedCredential(
  storage: Storage,
  kind: PlausibleCredential['kind'],
  userId: UserId,
  organizations: readonly OrganizationId[] = [],
  provider?: ProviderId,
): Promise<PlausibleCredential> {
  if (kind === 'session') return { kind, ...(await storedSession(storage, { userId, provider })) };
  const token = anApiToken({ userId, organizations });
  await runUnit(storage, ({ apiTokens }) => apiTokens.add(token));
  return { kind, hash: token.hash };
}

/** The holder of a live credential. */
export const callerOf = ({ unitOfWork }: Storage, credential: PlausibleCredential): Promise<AuthenticatedCaller> =>
  okOf(unitOfWork.session(credential).caller());
