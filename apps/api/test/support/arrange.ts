import { expect } from 'chai';
import { type Client, clientOf } from './client.ts';
import type { TestService } from './service.ts';

/** The pair that sign-in and refresh hand out. */
export interface Tokens {
  readonly token: string;
  readonly refreshToken: string;
}

/** Somebody with a verified account, and a client that carries their access token. */
export interface User extends Client, Tokens {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** The id of the personal organization. */
  readonly organization: number;
}

export const password = 'Correct-Horse-7';
let count = 0;

/** A number nobody else in this run has got. */
export const unique = (): number => {
  count += 1;
  return count;
};

/** What a person fills in to register. */
export const aRegistration = () => ({
  email: `user${unique()}@example.com`,
  password,
  firstName: 'Ada',
  lastName: 'Lovelace',
});

/** Registers; the address stays unverified. */
export async function aRegisteredUser({ url }: TestService): Promise<{ readonly id: string; readonly email: string }> {
  const registration = aRegistration();
  const reply = await clientOf(url).post('/api/auth/register', registration);
  expect(reply.status, reply.text).to.equal(201);
  return { id: (reply.json() as { id: string }).id, email: registration.email };
}

/** Somebody who registered, verified the address and signed in. Verified by SQL: mails are sent twice a second only. */
export async function aVerifiedUser(service: TestService): Promise<User> {
  const { id, email } = await aRegisteredUser(service);
  await service.database.none('UPDATE users SET email_verified_at = now() WHERE id = $1', [id]);
  const { organization } = await service.database.one<{ organization: number }>(
    'SELECT organization_id AS organization FROM memberships WHERE user_id = $1',
    [id],
  );
  const tokens = await logIn(service, { email, password });
  const client = clientOf(service.url, { authorization: `Bearer ${tokens.token}` });
  return { ...client, ...tokens, id, email, password, organization };
}

/** Signs in once more. */
export async function logIn(
  { url }: Pick<TestService, 'url'>,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Tokens> {
  const reply = await clientOf(url).post('/api/auth/login', { email, password });
  expect(reply.status, reply.text).to.equal(200);
  return reply.json() as Tokens;
}

/** Puts a user into somebody's organization. By SQL: the API has no endpoint for it yet. */
export const join = (
  { database }: TestService,
  { id }: User,
  organization: number,
  role: 'owner' | 'admin' | 'editor' | 'viewer',
): Promise<null> =>
  database.none('INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, $3)', [
    organization,
    id,
    role,
  ]);

/** A member of the owner's organization with the role. */
export async function aMember(service: TestService, owner: User, role: Parameters<typeof join>[3]): Promise<User> {
  const member = await aVerifiedUser(service);
  await join(service, member, owner.organization, role);
  return member;
}

export interface ZoneBody {
  readonly id: string;
  readonly name: string;
  readonly tag: string;
  readonly organization: string;
  readonly banToken: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly zone_settings: Readonly<Record<string, unknown>>;
}

/** A zone of the user's personal organization. */
export async function aZone(
  user: User,
  { name = `zone-${unique()}`, ...members }: Readonly<Record<string, unknown>> = {},
): Promise<ZoneBody> {
  const reply = await user.post('/api/zones', { organization: user.organization, name, ...members });
  expect(reply.status, reply.text).to.equal(201);
  return reply.json() as ZoneBody;
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

/** Conditions that no other rule has. */
export const someConditions = (value = `/page-${unique()}`) => ({
  logic: 'and',
  conditions: [{ field: 'uri', operator: 'equals', value }],
});

export const rulesOf = ({ id }: { readonly id: string }): string => `/api/zones/${id}/configuration-rules`;

/** A rule of the zone, at its end unless the members say otherwise. */
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
