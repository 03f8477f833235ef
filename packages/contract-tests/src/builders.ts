import {
  type Accounts,
  type AddedUser,
  ApiTokenId,
  ApiTokenName,
  type ApiTokens,
  type AuditEntry,
  BackendAddress,
  BackendId,
  BackendName,
  BasicAuthComment,
  type BasicAuthPasswordHash,
  BasicAuthUserId,
  BasicAuthUsername,
  type Challenges,
  type Client,
  type CredentialId,
  defaultZoneSettings,
  Email,
  type Identities,
  IdentityId,
  InvitationId,
  type Invitations,
  type JsonObject,
  jsonDocument,
  type LoadBalancerOrigin,
  type Mail,
  MailedToken,
  type MailedTokens,
  type NewRevision,
  type NoticeMail,
  OrganizationName,
  type PageRequest,
  PasskeyId,
  PasskeyName,
  type Passkeys,
  type PasswordHash,
  PersonName,
  ProviderId,
  parseRuleContent,
  type RecordedChange,
  Registration,
  type RuleContents,
  type RuleDraft,
  RuleId,
  type RuleKind,
  RulePosition,
  SessionId,
  type Sessions,
  type TokenHash,
  type TotpSecret,
  UserId,
  type WrittenLoadBalancer,
  type WrittenOriginServer,
  type WrittenRule,
  ZoneDraft,
  ZoneId,
  ZoneName,
  type ZonePlan,
  type Zones,
} from '@zonewright/core';

let count = 0;

/** A number unique in this process; later ones are larger. */
export const unique = (): number => {
  count += 1;
  return count;
};

/** Ids that sort in the order of creation. */
export const uuid = (): string => `01900000-0000-7000-8000-${unique().toString(16).padStart(12, '0')}`;

/** A client without a network. */
export const noClient: Client = { network: undefined, userAgent: undefined };

/** A new id; likewise for all ids and hashes below. */
export const aUserId = (): UserId => UserId.parse(uuid());
/** The id of a session. */
export const aSessionId = (): SessionId => SessionId.parse(uuid());
/** The id of a zone. */
export const aZoneId = (): ZoneId => ZoneId.parse(uuid());
/** The id of a rule. */
export const aRuleId = (): RuleId => RuleId.parse(uuid());
/** The id of a basic-auth user. */
export const aBasicAuthUserId = (): BasicAuthUserId => BasicAuthUserId.parse(uuid());
/** A token hash. */
export const aTokenHash = (): TokenHash => unique().toString(16).padStart(64, '0') as TokenHash;
/** An address without an account. */
export const anEmail = (): Email => Email.parse(`person-${unique()}@example.org`);

/** The id of an origin server or a load balancer. */
export const aBackendId = (): BackendId => BackendId.parse(uuid());

/** An origin server with a unique name and address. */
export const anOriginServer = (
  given: Partial<WrittenOriginServer> & Pick<WrittenOriginServer, 'organizationId'>,
): WrittenOriginServer => ({
  id: aBackendId(),
  name: BackendName.parse(`Origin ${unique()}`),
  protocol: 'https',
  address: BackendAddress.parse(`origin-${unique()}.example.net`),
  port: 443,
  requestHostname: undefined,
  ...given,
});

/** A password hash; storage treats hashes as opaque texts, so any text is one. */
export const aPasswordHash = (text = 'hash of Secret123'): PasswordHash => text as PasswordHash;

/** A secret of a second factor; storage treats secrets as opaque texts, so any text is one. */
export const aTotpSecret = (): TotpSecret => `SECRET${unique()}` as TotpSecret;

/** A load balancer with a unique name. */
export const aLoadBalancer = (
  given: Partial<WrittenLoadBalancer> & Pick<WrittenLoadBalancer, 'organizationId' | 'origins'>,
): WrittenLoadBalancer => ({
  id: aBackendId(),
  name: BackendName.parse(`Balancer ${unique()}`),
  method: 'random',
  requestHostname: undefined,
  ...given,
});

/** An origin of a load balancer. */
export const anOrigin = (originServer: BackendId, given: Partial<LoadBalancerOrigin> = {}): LoadBalancerOrigin => ({
  originServer,
  weight: 1,
  enabled: true,
  ...given,
});

/** Options for saving a load balancer with other origins, without an author. */
export const newOrigins = { author: undefined, originsChange: true } as const;

/** The argument of a method that adds something. */
export type Added<Port extends (item: never, ...rest: never[]) => unknown> = Parameters<Port>[0];

/** The argument of `Accounts.add`. */
export type NewAccount = Added<Accounts['add']>;
/** An account with a password. */
export const anAccount = (given: Partial<NewAccount> = {}): NewAccount => ({
  id: aUserId(),
  email: anEmail(),
  firstName: PersonName.parse('Ada'),
  lastName: PersonName.parse('Lovelace'),
  passwordHash: aPasswordHash(),
  ...given,
});

/** The argument of `Identities.link`. */
export type NewIdentity = Added<Identities['link']>;
/** An identity of the provider `corp`. */
export const anIdentity = (given: Partial<NewIdentity> & Pick<NewIdentity, 'userId'>): NewIdentity => ({
  id: IdentityId.parse(uuid()),
  provider: ProviderId.parse('corp'),
  issuer: `https://${given.provider ?? 'corp'}.example`,
  subject: `subject-${unique()}`,
  email: undefined,
  ...given,
});

/** The body of a registration. */
export const aRegistration = (email: string): Registration =>
  Registration.parse({ email, password: 'Secret123', firstName: 'Ada', lastName: 'Lovelace' });

/** The argument of `MailedTokens.issue`. */
export type NewMailedToken = Added<MailedTokens['issue']>;
/** A token that verifies the address, valid for an hour. */
export const aMailedToken = (given: Partial<NewMailedToken> & Pick<NewMailedToken, 'userId'>): NewMailedToken => ({
  hash: aTokenHash(),
  purpose: 'verify-email',
  lifetimeSeconds: 3600,
  ...given,
});

/** The argument of `Sessions.open`. */
export type NewSession = Added<Sessions['open']>;
/** A session opened with a password, with a lifetime of 10 000 seconds. */
export const aSession = (given: Partial<NewSession> & Pick<NewSession, 'userId'>): NewSession => ({
  id: aSessionId(),
  credentialsVersion: 1,
  methods: ['pwd'],
  provider: undefined,
  userAgent: 'Browser/1.0',
  lifetimeSeconds: 10_000,
  maxLive: 100,
  ...given,
});

/** The argument of `Challenges.issue`. */
export type NewChallenge = Added<Challenges['issue']>;

/** A challenge for credentials that have never changed. */
export const aChallenge = (given: Partial<NewChallenge> & Pick<NewChallenge, 'userId'>): NewChallenge => ({
  hash: aTokenHash(),
  credentialsVersion: 1,
  lifetimeSeconds: 300,
  ...given,
});

/** The argument of `Passkeys.add`. */
export type NewPasskey = Added<Passkeys['add']>;

/** A passkey of an authenticator that counts, never used. */
export const aPasskey = (given: Partial<NewPasskey> & Pick<NewPasskey, 'userId'>): NewPasskey => ({
  id: PasskeyId.parse(uuid()),
  credentialId: `credential-${unique()}` as CredentialId,
  name: PasskeyName.parse(`passkey ${unique()}`),
  publicKey: `key-${unique()}`,
  counter: 0,
  transports: ['internal'],
  backedUp: false,
  ...given,
});

/** The argument of `ApiTokens.add`. */
export type NewApiToken = Added<ApiTokens['add']>;

/** An API token without restrictions and expiry. */
export const anApiToken = (given: Partial<NewApiToken> & Pick<NewApiToken, 'userId'>): NewApiToken => ({
  id: ApiTokenId.parse(uuid()),
  hash: aTokenHash(),
  name: ApiTokenName.parse(`token ${unique()}`),
  prefix: 'zw_AbCdE',
  permissions: ['admin'],
  zones: undefined,
  networks: undefined,
  readOnly: false,
  organizations: [],
  expiresAt: undefined,
  ...given,
});

/** The argument of `Invitations.add`. */
export type NewInvitation = Added<Invitations['add']>;

/** An invitation of a new person as a viewer. */
export const anInvitation = (
  given: Partial<NewInvitation> & Pick<NewInvitation, 'organizationId' | 'invitedBy'>,
): NewInvitation => ({
  id: InvitationId.parse(uuid()),
  email: anEmail(),
  role: 'editor',
  hash: aTokenHash(),
  lifetimeSeconds: 1000,
  ...given,
});

/** An event without an actor. */
export const anAuditEntry = (given: Partial<AuditEntry> = {}): AuditEntry => ({
  action: 'zone.created',
  actor: undefined,
  credential: undefined,
  organization: undefined,
  objects: {},
  client: noClient,
  ...given,
});

/** The largest possible page. */
export const wholeList: PageRequest = { page: 1, itemsPerPage: 100 };

/** A unique organization name. */
export const anOrganizationName = (): OrganizationName => OrganizationName.parse(`Organization ${unique()}`);

/** The given name, or a unique one. */
export const aZoneName = (name = `zone-${unique()}`): ZoneName => ZoneName.parse(name);

/** A unique ban token. */
export const aBanToken = (): string => `ban_${String(unique()).padStart(36, '0')}`;

/** The argument of `Zones.add`. */
export type NewZone = Added<Zones['add']>;
/** A production zone with the default settings. */
export const aZone = (given: Partial<NewZone> & Pick<NewZone, 'organizationId' | 'createdBy'>): NewZone => ({
  id: aZoneId(),
  name: aZoneName(),
  tag: 'prod',
  hostnames: [],
  claims: [],
  banToken: aBanToken(),
  settings: jsonDocument(defaultZoneSettings),
  ...given,
});

/** A zone as a client requests it. */
export const aZoneDraft = (given: { readonly name?: string; readonly organization?: number } = {}): ZoneDraft =>
  ZoneDraft.parse({ name: `zone-${unique()}`, ...given });

/** Conditions that match a single path. */
const conditionsOn = (path: string): JsonObject => ({
  logic: 'and',
  conditions: [{ field: 'uri', operator: 'equals', value: path }],
});

/** Properties of a test's rule. */
export interface RuleTraits {
  readonly name?: string;
  /** The path that the rule matches; part of its unique key, if the kind has one. */
  readonly path?: string;
  readonly members?: JsonObject;
}

const bodiesOn: { readonly [K in RuleKind]: (path: string) => JsonObject } = {
  configurationRule: (path) => ({ conditions: conditionsOn(path) }),
  rewriteRule: (path) => ({ operator: 'equals', sourcePattern: path, target: '/elsewhere' }),
  accessRule: (path) => ({ conditions: conditionsOn(path), action: 'block' }),
  securityScenario: (path) => ({ type: 'trigger', filter: conditionsOn(path) }),
};

/** The content of a rule; unique unless a name and a path are given. */
export const aRuleContent = <K extends RuleKind>(
  kind: K,
  { name = `rule-${unique()}`, path = `/page-${unique()}`, members = {} }: RuleTraits = {},
): RuleContents[K] =>
  parseRuleContent(kind, { name, ...bodiesOn[kind](path), ...members }).match(
    (content) => content,
    (error) => {
      throw new Error(`The rule breaks constraints: ${JSON.stringify(error)}`);
    },
  );

/** A rule as it is written. */
export const aRule = <K extends RuleKind>(
  kind: K,
  { id = aRuleId(), ...traits }: RuleTraits & { readonly id?: RuleId } = {},
): WrittenRule<K> => ({ id, content: jsonDocument(aRuleContent(kind, traits)) });

/** A rule as a client requests it. */
export const aRuleDraft = <K extends RuleKind>(
  kind: K,
  { order, ...traits }: RuleTraits & { readonly order?: number } = {},
): RuleDraft<K> => ({
  content: aRuleContent(kind, traits),
  order: order === undefined ? undefined : RulePosition.parse(order),
});

/** A user as added by a plan, with a unique name. */
export const aBasicAuthUser = (given: Partial<AddedUser> = {}): AddedUser => ({
  id: aBasicAuthUserId(),
  username: BasicAuthUsername.parse(`user-${unique()}`),
  comment: BasicAuthComment.parse('For a test'),
  hash: aBasicAuthHash(),
  ...given,
});

/** An arbitrary bcrypt hash. */
export const aBasicAuthHash = (): BasicAuthPasswordHash =>
  `$2y$10$${String(unique()).padStart(53, '0')}` as BasicAuthPasswordHash;

/** A revision that renames a zone; by default without a snapshot. */
export const aRevision = (given: Partial<NewRevision> & Pick<NewRevision, 'zoneId' | 'number'>): NewRevision => ({
  action: 'zone.changed',
  objects: {},
  author: undefined,
  patch: given.snapshot === undefined ? jsonDocument({ name: `name ${given.number}` }) : undefined,
  snapshot: undefined,
  restored: undefined,
  replayBytes: 0,
  ...given,
});

/** A plan with arbitrary records. */
export const aChange = (plan: ZonePlan = {}): RecordedChange => ({
  plan,
  revision: {
    action: 'zone.changed',
    objects: {},
    author: undefined,
    patch: jsonDocument({}),
    snapshot: undefined,
    restored: undefined,
    replayBytes: 0,
  },
  audit: anAuditEntry(),
});

/** A mail to a unique address. */
export const aMail = (): Exclude<Mail, { kind: 'notice' }> => ({
  kind: 'verify-email',
  to: anEmail(),
  token: MailedToken.parse(`token-${unique()}`),
});

/** A notice to someone who needs no account. */
export const aNotice = (given: Partial<NoticeMail> = {}): NoticeMail => ({
  kind: 'notice',
  to: anEmail(),
  user: aUserId(),
  notice: 'password-changed',
  isLastForNow: false,
  ...given,
});
