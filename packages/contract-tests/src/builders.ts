import {
  type Accounts,
  BackendReference,
  BasicAuthUserId,
  Conditions,
  defaultZoneSettings,
  Email,
  jsonDocument,
  type Mail,
  MailedToken,
  type MailedTokens,
  OrganizationName,
  type PasswordHash,
  PersonName,
  Registration,
  RuleDescription,
  RuleDraft,
  RuleId,
  RuleName,
  SessionId,
  type Sessions,
  SettingsOverrides,
  type TokenHash,
  UserId,
  type WrittenRule,
  ZoneDraft,
  ZoneId,
  ZoneName,
  type Zones,
} from '@zonewright/core';

let count = 0;

/** A number that no other call in this process gets; later ones are greater. */
export const unique = (): number => {
  count += 1;
  return count;
};

/** Ids sort in the order in which they were made. */
export const uuid = (): string => `01900000-0000-7000-8000-${unique().toString(16).padStart(12, '0')}`;

export const aUserId = (): UserId => UserId.parse(uuid());
export const aSessionId = (): SessionId => SessionId.parse(uuid());
export const aZoneId = (): ZoneId => ZoneId.parse(uuid());
export const aRuleId = (): RuleId => RuleId.parse(uuid());
export const aBasicAuthUserId = (): BasicAuthUserId => BasicAuthUserId.parse(uuid());
export const aTokenHash = (): TokenHash => unique().toString(16).padStart(64, '0') as TokenHash;
export const anEmail = (): Email => Email.parse(`person-${unique()}@example.org`);

export const aBackend = (type: 'origin_server' | 'load_balancer' = 'origin_server'): BackendReference =>
  BackendReference.parse({ type, id: uuid() });

type Added<Port extends (item: never, ...rest: never[]) => unknown> = Parameters<Port>[0];

export type NewAccount = Added<Accounts['add']>;
export const anAccount = (given: Partial<NewAccount> = {}): NewAccount => ({
  id: aUserId(),
  email: anEmail(),
  firstName: PersonName.parse('Ada'),
  lastName: PersonName.parse('Lovelace'),
  passwordHash: 'hash of Secret123' as PasswordHash,
  ...given,
});

/** What registration asks for. */
export const aRegistration = (email: string): Registration =>
  Registration.parse({ email, password: 'Secret123', firstName: 'Ada', lastName: 'Lovelace' });

export type NewMailedToken = Added<MailedTokens['issue']>;
export const aMailedToken = (given: Partial<NewMailedToken> & Pick<NewMailedToken, 'userId'>): NewMailedToken => ({
  hash: aTokenHash(),
  purpose: 'verify-email',
  lifetimeSeconds: 3600,
  ...given,
});

export type NewSession = Added<Sessions['open']>;
export const aSession = (given: Partial<NewSession> & Pick<NewSession, 'userId'>): NewSession => ({
  id: aSessionId(),
  credentialsVersion: 1,
  methods: ['pwd'],
  userAgent: 'Browser/1.0',
  lifetimeSeconds: 10_000,
  ...given,
});

export const anOrganizationName = (): OrganizationName => OrganizationName.parse(`Organization ${unique()}`);

export const aZoneName = (name = `zone-${unique()}`): ZoneName => ZoneName.parse(name);

export type NewZone = Added<Zones['add']>;
export const aZone = (given: Partial<NewZone> & Pick<NewZone, 'organizationId' | 'createdBy'>): NewZone => ({
  id: aZoneId(),
  name: aZoneName(),
  tag: 'prod',
  banToken: `ban_${String(unique()).padStart(36, '0')}`,
  settings: jsonDocument(defaultZoneSettings),
  ...given,
});

/** A zone as a client asks for it. */
export const aZoneDraft = (given: { readonly name?: string; readonly organization?: number } = {}): ZoneDraft =>
  ZoneDraft.parse({ name: `zone-${unique()}`, ...given });

/** Conditions that hold for one path; every call without one gives a different set. */
export const conditionsOn = (path = `/page-${unique()}`): Conditions =>
  Conditions.parse({ logic: 'and', conditions: [{ field: 'uri', operator: 'equals', value: path }] });

export const aRule = (given: Partial<WrittenRule> & Pick<WrittenRule, 'zoneId'>): WrittenRule => ({
  id: aRuleId(),
  name: RuleName.parse(`rule-${unique()}`),
  description: RuleDescription.parse('For a test'),
  conditions: jsonDocument(conditionsOn()),
  enabled: true,
  stopOnMatch: false,
  settingsOverrides: jsonDocument(SettingsOverrides.parse({})),
  ...given,
});

/** A rule as a client asks for it. */
export const aRuleDraft = ({
  path,
  ...members
}: {
  readonly name?: string;
  readonly path?: string;
  readonly order?: number;
} = {}): RuleDraft => RuleDraft.parse({ name: `rule-${unique()}`, conditions: conditionsOn(path), ...members });

export const aMail = (): Mail => ({
  kind: 'verify-email',
  to: anEmail(),
  token: MailedToken.parse(`token-${unique()}`),
});
