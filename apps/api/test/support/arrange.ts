import { createHash, randomBytes } from 'node:crypto';
import { defaultTokenPermissions, Password, type PasswordHashes, type TokenHash, type UserId } from '@zonewright/core';
import { argon2Passwords, hashingGate, nodeRandomness } from '@zonewright/crypto';
import { expect } from 'chai';
import { type Client, clientOf } from './client.ts';
import { type MemoryService, storeMembership, storeVerifiedUser } from './memory-service.ts';
import type { TestService } from './service.ts';

/** Storage that tests write to directly. */
export type Arrangeable = Pick<TestService, 'database' | 'passwords'> | Pick<MemoryService, 'unitOfWork' | 'inTables'>;
/** Where an account can be registered and verified. */
export type Place = Arrangeable & { readonly url: string };

/** The token pair issued by sign-in and refresh. */
export interface Tokens {
  readonly token: string;
  readonly refreshToken: string;
}

/** A user with a verified account, and a client with their access token. */
export interface User extends Client, Tokens {
  /** The base URL of the service. */
  readonly url: string;
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** The id of the personal organization. */
  readonly organization: number;
}

export const password = 'Correct-Horse-7';
let count = 0;

/** A number unique within this run. */
export const unique = (): number => {
  count += 1;
  return count;
};

/** The body of a registration. */
export const aRegistration = () => ({
  email: `user${unique()}@example.com`,
  password,
  firstName: 'Ada',
  lastName: 'Lovelace',
});

/** Registers a user without verifying the address. */
export async function aRegisteredUser({
  url,
}: Pick<TestService, 'url'>): Promise<{ readonly id: string; readonly email: string }> {
  const registration = aRegistration();
  const reply = await clientOf(url).post('/api/auth/register', registration);
  expect(reply.status, reply.text).to.equal(201);
  return { id: (reply.json() as { id: string }).id, email: registration.email };
}

const slowPasswords = argon2Passwords(hashingGate());
const randomness = nodeRandomness();
let slowHash: Promise<string> | undefined;

const hashWith = (passwords: PasswordHashes): Promise<string> =>
  passwords.hash(Password.parse(password)).match(
    (hash) => hash,
    (busy) => expect.fail(busy.type),
  );

/** The slow hash is the same for all users and computed once. */
function hashBy(passwords: PasswordHashes | undefined): Promise<string> {
  if (passwords !== undefined) return hashWith(passwords);
  slowHash ??= hashWith(slowPasswords);
  return slowHash;
}

/**
 * A registered, verified and signed-in user. Written to storage directly, because tests need hundreds of them; only the
 * tokens are issued by the service.
 */
export async function aVerifiedUser(place: Place): Promise<User> {
  const { url } = place;
  const refreshToken = randomness.token();
  const user = {
    ...aRegistration(),
    id: randomness.uuid(),
    session: randomness.uuid(),
    refreshTokenHash: createHash('sha256').update(refreshToken).digest('hex'),
  };
  const organization =
    'unitOfWork' in place
      ? await storeVerifiedUser(place, user)
      : await place.database
          .one<{ organization: number }>(verifiedUserSql, { ...user, passwordHash: await hashBy(place.passwords) })
          .then(({ organization }) => organization);
  const reply = await clientOf(url).post('/api/auth/refresh', { refreshToken });
  expect(reply.status, reply.text).to.equal(200);
  const tokens = reply.json() as Tokens;
  const client = clientOf(url, { authorization: `Bearer ${tokens.token}` });
  return { ...client, ...tokens, url, id: user.id, email: user.email, password, organization };
}

const verifiedUserSql = `
  WITH organization AS (
    INSERT INTO organizations (name, name_key)
    VALUES (\${firstName} || ' ' || \${lastName}, lower(\${firstName} || ' ' || \${lastName})) RETURNING id
  ), account AS (
    INSERT INTO users (id, email, email_key, password_hash, first_name, last_name, email_verified_at)
    VALUES (\${id}, \${email}, lower(\${email}), \${passwordHash}, \${firstName}, \${lastName}, now())
  ), membership AS (
    INSERT INTO memberships (organization_id, user_id, role) SELECT id, \${id}, 'owner' FROM organization
  ), session AS (
    INSERT INTO sessions (id, user_id, methods, expires_at)
    VALUES (\${session}, \${id}, '{pwd}', now() + interval '90 days')
  ), token AS (
    INSERT INTO refresh_tokens (hash, session_id, expires_at)
    VALUES (\${refreshTokenHash}, \${session}, now() + interval '30 days')
  )
  SELECT id AS organization FROM organization`;

/** Signs in again. */
export async function logIn(
  { url }: Pick<Place, 'url'>,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Tokens> {
  const reply = await clientOf(url).post('/api/auth/login', { email, password });
  expect(reply.status, reply.text).to.equal(200);
  return reply.json() as Tokens;
}

/** Roles in descending order of rights. */
export const roles = ['owner', 'admin', 'editor', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** Adds a user to an organization. Bypasses the API, where an invitation would need a mail. */
export async function join(place: Arrangeable, { id }: User, organization: number, role: Role): Promise<void> {
  if ('unitOfWork' in place) return storeMembership(place, id, organization, role);
  const values = [organization, id, role];
  await place.database.none('INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, $3)', values);
}

/** Creates a member of the owner's organization with the role. */
export async function aMember(service: Place, owner: User, role: Role): Promise<User> {
  const member = await aVerifiedUser(service);
  await join(service, member, owner.organization, role);
  return member;
}

export interface ApiTokenBody {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly readOnly: boolean;
  readonly organizations: readonly string[];
  readonly active: boolean;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  readonly expiresAt?: string;
}

/** Creates an API token of the user, with a client that uses it. By default it may do everything that it can be allowed. */
export async function anApiToken(
  user: User,
  members: Readonly<Record<string, unknown>> = {},
): Promise<Client & { readonly plainToken: string; readonly apiToken: ApiTokenBody }> {
  const permissions = 'zones' in members ? defaultTokenPermissions : ['admin'];
  const reply = await user.post('/api/api-tokens', { name: `token-${unique()}`, permissions, ...members });
  expect(reply.status, reply.text).to.equal(201);
  const { plainToken, ...apiToken } = reply.json() as ApiTokenBody & { readonly plainToken: string };
  return { ...clientOf(user.url, { 'x-api-token': plainToken }), plainToken, apiToken };
}

export interface InvitationBody {
  readonly id: string;
  readonly organization: string;
  readonly email: string;
  readonly role: Role;
  readonly status: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export const invitationsOf = ({ organization }: Pick<User, 'organization'>): string =>
  `/api/organizations/${organization}/invitations`;

/** Creates an invitation to the user's personal organization. */
export async function anInvitation(
  user: User,
  { email = `guest${unique()}@example.com`, role = 'viewer' }: { readonly email?: string; readonly role?: Role } = {},
): Promise<InvitationBody> {
  const reply = await user.post(invitationsOf(user), { email, role });
  expect(reply.status, reply.text).to.equal(201);
  return reply.json() as InvitationBody;
}

export interface DomainBody {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  readonly unicodeName?: string;
  readonly state: 'pending' | 'verified' | 'lapsing' | 'lapsed';
  readonly record: { readonly name: string; readonly type: string; readonly value: string };
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly checkedAt?: string;
  readonly nextCheckAt?: string;
  readonly verifiedAt?: string;
  readonly problem?: { readonly code: string; readonly message: string };
}

export const domainsOf = ({ organization }: Pick<User, 'organization'>): string =>
  `/api/organizations/${organization}/domains`;

/** Adds a domain to the user's personal organization. */
export async function aDomain(user: User, name = `d${unique()}.example`): Promise<DomainBody> {
  const reply = await user.post(domainsOf(user), { name });
  expect(reply.status, reply.text).to.equal(201);
  return reply.json() as DomainBody;
}

export interface OriginServerBody {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  readonly protocol: string;
  readonly address: string;
  readonly port: number;
  readonly requestHostname?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const originServersOf = ({ organization }: Pick<User, 'organization'>): string =>
  `/api/organizations/${organization}/origin-servers`;

/** The required members of an origin server, with a unique name and address. */
export const originServerMembers = () => {
  const number = unique();
  return { name: `server ${number}`, protocol: 'https', address: `server-${number}.example.net` };
};

/** Creates an origin server in the user's personal organization. */
export async function anOriginServer(
  user: User,
  members: Readonly<Record<string, unknown>> = {},
): Promise<OriginServerBody> {
  const reply = await user.post(originServersOf(user), { ...originServerMembers(), ...members });
  expect(reply.status, reply.text).to.equal(201);
  return reply.json() as OriginServerBody;
}

export interface LoadBalancerBody {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  readonly method: string;
  readonly requestHostname?: string;
  readonly origins: readonly { readonly originServer: string; readonly weight: number; readonly enabled: boolean }[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const loadBalancersOf = ({ organization }: Pick<User, 'organization'>): string =>
  `/api/organizations/${organization}/load-balancers`;

/** Creates a load balancer in the user's personal organization; by default with a new origin server. */
export async function aLoadBalancer(
  user: User,
  members: Readonly<Record<string, unknown>> = {},
): Promise<LoadBalancerBody> {
  const origins = members['origins'] ?? [{ originServer: (await anOriginServer(user)).id }];
  const reply = await user.post(loadBalancersOf(user), { name: `balancer ${unique()}`, ...members, origins });
  expect(reply.status, reply.text).to.equal(201);
  return reply.json() as LoadBalancerBody;
}

/** Signs in a second time and returns that session's id. */
export async function anotherSession(service: Place, user: User): Promise<string> {
  const { token } = await logIn(service, user);
  return sessionOf(token);
}

/** The session of an access token. */
export const sessionOf = (token: string): string => {
  const [, payload = ''] = token.split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly sid: string }).sid;
};

export interface ZoneBody {
  readonly id: string;
  readonly name: string;
  readonly tag: string;
  readonly hostnames: readonly string[];
  readonly organization: string;
  readonly banToken: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly zone_settings: Readonly<Record<string, unknown>>;
}

/** Creates a zone in the user's personal organization. */
export async function aZone(
  user: User,
  { name = `zone-${unique()}`, ...members }: Readonly<Record<string, unknown>> = {},
): Promise<ZoneBody> {
  const reply = await user.post('/api/zones', { organization: user.organization, name, ...members });
  expect(reply.status, reply.text).to.equal(201);
  return reply.json() as ZoneBody;
}

/** Creates and deletes a zone in the user's organization. */
export async function aDeletedZone(user: User, members: Readonly<Record<string, unknown>> = {}): Promise<ZoneBody> {
  const zone = await aZone(user, members);
  const reply = await user.delete(`/api/zones/${zone.id}`);
  expect(reply.status, reply.text).to.equal(204);
  return zone;
}

export interface RuleBody {
  readonly id: string;
  readonly zone: string;
  readonly name: string;
  readonly description: string;
  readonly conditions: unknown;
  readonly order: number;
  readonly enabled: boolean;
  readonly stopOnMatch: boolean;
  readonly settingsOverrides: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Unique conditions. */
export const someConditions = (value = `/page-${unique()}`) => ({
  logic: 'and',
  conditions: [{ field: 'uri', operator: 'equals', value }],
});

export const rulesOf = ({ id }: { readonly id: string }): string => `/api/zones/${id}/configuration-rules`;

/** Creates a rule in the zone, by default at its end. */
export async function aRule(
  user: User,
  zone: ZoneBody,
  members: Readonly<Record<string, unknown>> = {},
): Promise<RuleBody> {
  const body = { name: `rule-${unique()}`, conditions: someConditions(), ...members };
  const reply = await user.post(rulesOf(zone), body, { accept: 'application/json' });
  expect(reply.status, reply.text).to.equal(201);
  return reply.json() as RuleBody;
}

/** Replaces the user's mailed token with a live one. Bypasses the API, because mails are sent only twice a second. */
export async function aMailedToken(
  place: Arrangeable,
  { id }: { readonly id: string },
  purpose: 'verify-email' | 'reset-password',
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(token).digest('hex') as TokenHash;
  const issued = { hash, userId: id as UserId, purpose, lifetimeSeconds: 3600 };
  if ('unitOfWork' in place) await place.unitOfWork.run(({ mailedTokens }) => mailedTokens.issue(issued));
  else await place.database.tx((transaction) => transaction.multi(mailedTokenSql, { id, purpose, hash }));
  return token;
}

const mailedTokenSql = `
  UPDATE mailed_tokens SET used_at = now() WHERE user_id = \${id} AND purpose = \${purpose} AND used_at IS NULL;
  INSERT INTO mailed_tokens (hash, user_id, purpose, email_key, credentials_version, expires_at)
  SELECT \${hash}, id, \${purpose}, email_key, credentials_version, now() + interval '1 hour'
  FROM users WHERE id = \${id}`;
