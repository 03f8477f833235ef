import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { type Arrangeable, aVerifiedUser, type Place, type User } from './arrange.ts';
import { clientOf, type Reply } from './client.ts';
import { changeRows, type MemoryService } from './memory-service.ts';

export interface SetupData {
  readonly secret: string;
  readonly otpauthUri: string;
  readonly qrDataUri: string;
}

/** A user with two-factor authentication; none of its codes has been used. */
export interface TwoFactorUser extends User {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

const step = (): number => Math.floor(Date.now() / 30_000);

/** The authenticator app's code now, or some 30-second steps later (RFC 6238 section 4, RFC 4226 section 5.3). */
export function codeOf(secret: string, steps = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step() + steps));
  const hash = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/** A code that is invalid in all time steps around now. */
export function wrongCodeFor(secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? '666666';
}

/** Marks the time steps of used codes as long past, so that tests need not wait for the next one. */
export async function forgetSteps(place: Arrangeable, { id }: { readonly id: string }): Promise<void> {
  if ('database' in place) await place.database.none('UPDATE two_factor SET last_step = NULL WHERE user_id = $1', [id]);
  else place.inTables(({ twoFactors }) => changeRows(twoFactors, (_, user) => user === id, { lastStep: undefined }));
}

export async function beginSetup(user: User): Promise<SetupData> {
  const reply = await user.post('/api/2fa/setup');
  expect(reply.status, reply.text).to.equal(200);
  return reply.json() as SetupData;
}

export const recoveryCodesIn = (reply: Reply): readonly string[] =>
  (reply.json() as { readonly recoveryCodes: readonly string[] }).recoveryCodes;

/** Enables a user's second factor. */
export async function enableTwoFactor(service: Place, user: User): Promise<TwoFactorUser> {
  const { secret } = await beginSetup(user);
  const reply = await user.post('/api/2fa/confirm', { code: codeOf(secret) });
  expect(reply.status, reply.text).to.equal(200);
  await forgetSteps(service, user);
  return { ...user, secret, recoveryCodes: recoveryCodesIn(reply) };
}

export const aTwoFactorUser = async (service: Place): Promise<TwoFactorUser> =>
  enableTwoFactor(service, await aVerifiedUser(service));

/** Completes the first step of a sign-in; returns the challenge. */
export async function aChallenge(
  { url }: Pick<Place, 'url'>,
  { email, password }: Pick<User, 'email' | 'password'>,
): Promise<string> {
  const reply = await clientOf(url).post('/api/auth/login', { email, password });
  expect(reply.status, reply.text).to.equal(200);
  return (reply.json() as { readonly challengeToken: string }).challengeToken;
}

/** Changes an organization's two-factor policy. Bypasses the API, where the owner would need a second factor first. */
export const enforceTwoFactor = (
  { inTables }: Pick<MemoryService, 'inTables'>,
  { organization }: Pick<User, 'organization'>,
  enforceTwoFactor = true,
) =>
  inTables(({ organizations }) => {
    for (const [id, row] of organizations) {
      if (id === organization) organizations.set(id, { ...row, enforceTwoFactor, revision: row.revision + 1 });
    }
  });
