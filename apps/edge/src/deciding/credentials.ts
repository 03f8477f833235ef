import { createHmac, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fairGate, NewestEntries } from '@zonewright/gate';
import bcrypt from 'bcrypt';
import type { ServedZone } from '../documents/accepted-zone.ts';
import { hasSha512Crypt } from './crypt/sha512-crypt.ts';
import { GuessLimit } from './guess-limit.ts';

/**
 * Whether credentials are those of a user who may pass; busy: too many are being checked; guessing: the client has had too
 * many wrong ones.
 */
export type CredentialVerdict = 'right' | 'wrong' | 'busy' | 'guessing';

/** Credentials of a client for a zone. */
interface AskedCredentials {
  readonly zone: ServedZone;
  /** Ids of users of the zone; none means all of them. */
  readonly allowed: readonly string[];
  /** The value of the field. */
  readonly authorization: string;
  /** Names the network of the client. */
  readonly network: string;
}

const rememberedMilliseconds = 60_000;
const maxRemembered = 10_000;
const maxPasswordBytes = 1024;

/**
 * Checks credentials against the hashes in a zone's document. Hashing is slow on purpose, so zones take turns at it, and
 * a right pair is remembered for a minute, by a digest under a key of this process. A new document forgets it.
 */
export function credentialCheck(now: () => number = Date.now) {
  const gate = fairGate(gateLimits());
  const key = randomBytes(32);
  const right = new NewestEntries<number>(maxRemembered);
  const guesses = new GuessLimit(now);
  const digestOf = (text: string, more: Buffer = Buffer.alloc(0)) =>
    createHmac('sha256', key).update(text).update(more).digest();
  return {
    verdict: async ({ zone, allowed, authorization, network }: AskedCredentials): Promise<CredentialVerdict> => {
      const pair = pairIn(authorization);
      if (pair === undefined) return 'wrong';
      const user = usersOf(zone, allowed).find(([, { username }]) => username === pair.username);
      const name = digestOf(JSON.stringify([zone.digest, user?.[0]]), pair.password).toString('base64');
      if ((right.get(name) ?? 0) > now()) return 'right';
      const client = `${zone.document.zone.id} ${network}`;
      if (!guesses.begin(client)) return 'guessing';
      const hash = user === undefined ? decoyOf(usersOf(zone, allowed), digestOf(pair.username)) : user[1].hash;
      const checked = await gate.run(zone.document.zone.id, () => isRightPassword(pair.password, hash));
      const isRight = checked.map((matches) => matches && user !== undefined);
      const verdict = isRight.match(verdictOf, () => 'busy' as const);
      if (verdict !== 'wrong') guesses.forgive(client);
      if (verdict === 'right') right.set(name, now() + rememberedMilliseconds);
      return verdict;
    },
  };
}

/** Checks credentials of HTTP Basic authentication. */
export type CredentialCheck = ReturnType<typeof credentialCheck>;

const verdictOf = (isRight: boolean) => (isRight ? 'right' : 'wrong');

const gateLimits = () => ({
  concurrency: Math.max(1, Math.min(3, availableParallelism())),
  queueLimit: 32,
  waitSeconds: 2,
  ownWaitSeconds: 2,
});

const decoy = '$2b$10$FYGxHZv9AI/DgHCffNS2K.TdP1VPD5Ljv0/1BYr5AfG6B2CbMXDXK';

/**
 * Somebody who asks must not learn from the time whether there is a user of that name. Hashes differ in kind and cost, so
 * the password is compared with that of a user, always the same one for a name.
 */
const decoyOf = (users: ReturnType<typeof usersOf>, digest: Buffer): string =>
  users[digest.readUInt32BE(0) % Math.max(1, users.length)]?.[1].hash ?? decoy;

/**
 * Whether a password has a hash as the service stores it: bcrypt (`$2y$`, the same algorithm as `$2b$`), or SHA-512 crypt
 * (`$6$`). Both are computed on other threads.
 */
async function isRightPassword(password: Buffer, hash: string): Promise<boolean> {
  if (hash.startsWith('$6$')) return hasSha512Crypt(password, hash);
  // Nothing has a hash that the library cannot read.
  return bcrypt.compare(password, hash.replace(/^\$2[ay]\$/, '$2b$')).catch(() => false);
}

const basic = /^basic +([A-Za-z0-9+/_-]+={0,2})[ \t]*$/i;

/** The pair in the value of `Authorization` (RFC 7617 section 2): what is before the first colon is the name. */
function pairIn(authorization: string) {
  const bytes = Buffer.from(basic.exec(authorization.trim())?.[1] ?? '', 'base64');
  const colon = bytes.indexOf(':');
  if (colon < 1 || bytes.length - colon > maxPasswordBytes || bytes.includes(0)) return undefined;
  return { username: bytes.toString('utf8', 0, colon), password: bytes.subarray(colon + 1) };
}

const usersOf = ({ document }: ServedZone, allowed: readonly string[]) => {
  const users = Object.entries(document.basicAuthUsers);
  return allowed.length === 0 ? users : users.filter(([id]) => allowed.includes(id));
};
