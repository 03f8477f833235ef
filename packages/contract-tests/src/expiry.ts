import {
  changeSetLifetimeSeconds,
  deletedZoneGraceSeconds,
  deletedZoneLifetimeSeconds,
  type Expiry,
  expiredCredentialLifetimeSeconds,
  finishedMailLifetimeSeconds,
  idempotencyKeyLifetimeSeconds,
  pendingDomainLifetimeSeconds,
  unverifiedAccountLifetimeSeconds,
} from '@zonewright/core';
import { expect } from 'chai';
import { okAsync } from 'neverthrow';
import { added } from './arrangements/change-sets.ts';
import {
  addRules,
  removed,
  storedAccount,
  storedBasicAuthUser,
  storedOwner,
  storedSession,
  storedZone,
} from './arrangements/index.ts';
import {
  aChallenge,
  aMail,
  aMailedToken,
  anAccount,
  anOrganizationName,
  aRevision,
  aRule,
  aTokenHash,
  aZone,
  type NewAccount,
  noClient,
} from './builders/index.ts';
import { contract } from './fresh-storage.ts';
import type { KeyedStorage } from './kernel/idempotency.ts';
import { storedDomain } from './organizations/domains.ts';
import { okOf, readView, runUnit } from './results.ts';

/** Numbers of stored records of each kind, expired ones included. */
export interface StoredCounts {
  readonly accounts: number;
  readonly organizations: number;
  readonly sessions: number;
  readonly refreshTokens: number;
  readonly challenges: number;
  readonly passkeyChallenges: number;
  readonly mailedTokens: number;
  readonly mails: number;
  readonly idempotencyKeys: number;
  readonly deletedZones: number;
  readonly rules: number;
  readonly basicAuthUsers: number;
  readonly zoneRevisions: number;
  readonly changeSets: number;
  readonly domains: number;
}

/** Storage that forgets. */
export interface ExpiringStorage extends KeyedStorage {
  readonly expiry: Expiry;
  stored(): Promise<StoredCounts>;
}

/** Every adapter of `Expiry` must pass this unchanged. */
export const expiryContract = contract('Expiry contract', (storage: () => ExpiringStorage) => {
  describe('removes', () => removals(storage));
  describe('keeps', () => exceptions(storage));
});

async function forget({ expiry }: ExpiringStorage): Promise<void> {
  while ((await expiry.removeExpired()) > 0);
}

/** Whether there are records of the kinds after the clean-up. */
async function left(storage: ExpiringStorage, kinds: readonly (keyof StoredCounts)[]): Promise<readonly number[]> {
  await forget(storage);
  const counts = await storage.stored();
  return kinds.map((kind) => counts[kind]);
}

const credentialSeconds = 1000;

/** An account whose address was never verified, and its organization. */
const storedUnverified = (storage: ExpiringStorage): Promise<NewAccount> => {
  const account = anAccount();
  return runUnit(storage, ({ accounts, organizations }) =>
    accounts
      .add(account)
      .andThen(() => organizations.create({ name: anOrganizationName(), owner: account.id }))
      .map(() => account),
  );
};

async function storedChallenge(storage: ExpiringStorage): Promise<void> {
  const { id: userId } = await storedAccount(storage);
  const challenge = aChallenge({ userId, lifetimeSeconds: credentialSeconds });
  await runUnit(storage, ({ challenges }) => challenges.issue(challenge));
}

async function storedMailedToken(storage: ExpiringStorage): Promise<void> {
  const { id: userId } = await storedAccount(storage);
  const token = aMailedToken({ userId, lifetimeSeconds: credentialSeconds });
  await runUnit(storage, ({ mailedTokens }) => mailedTokens.issue(token));
}

const sentMail = (storage: ExpiringStorage): Promise<void> =>
  runUnit(storage, ({ outbox }) =>
    outbox
      .add(aMail())
      .andThen(() => outbox.claim(60))
      .andThen((mail) => outbox.markSent(mail?.id ?? '')),
  );

async function deletedZone(storage: ExpiringStorage): Promise<void> {
  const owned = await storedZone(storage);
  await runUnit(storage, ({ history }) => history.add(aRevision({ zoneId: owned.zone.id, number: 1 })));
  await okOf(added(storage, owned));
  await addRules(storage, { zone: owned.zone.id, kind: 'accessRule' }, [aRule('accessRule')]);
  await storedBasicAuthUser(storage, owned.zone.id);
  await runUnit(storage, (repositories) => removed(repositories, owned.zone.id));
}

/** What expires, how long after it was stored, and the kinds of records with that. */
const kinds: readonly (readonly [
  what: string,
  store: (storage: ExpiringStorage) => Promise<unknown>,
  seconds: number,
  records: readonly (keyof StoredCounts)[],
])[] = [
  [
    'an account that was never verified, and its organization',
    storedUnverified,
    unverifiedAccountLifetimeSeconds,
    ['accounts', 'organizations'],
  ],
  [
    'a session with its refresh tokens',
    async (storage) => {
      const { id: userId } = await storedAccount(storage);
      await storedSession(storage, { userId, lifetimeSeconds: credentialSeconds });
    },
    credentialSeconds + expiredCredentialLifetimeSeconds,
    ['sessions', 'refreshTokens'],
  ],
  ['a challenge', storedChallenge, credentialSeconds + expiredCredentialLifetimeSeconds, ['challenges']],
  [
    'a challenge to a passkey',
    (storage) => runUnit(storage, ({ passkeyChallenges }) => passkeyChallenges.issue(aTokenHash(), credentialSeconds)),
    credentialSeconds + expiredCredentialLifetimeSeconds,
    ['passkeyChallenges'],
  ],
  ['a mailed token', storedMailedToken, credentialSeconds + expiredCredentialLifetimeSeconds, ['mailedTokens']],
  ['a sent mail', sentMail, finishedMailLifetimeSeconds, ['mails']],
  [
    'a stored response',
    ({ idempotencyKeys }) =>
      okOf(idempotencyKeys.once({ scope: 'a', key: 'b', fingerprint: 'c' }, () => okAsync('answer'))),
    idempotencyKeyLifetimeSeconds,
    ['idempotencyKeys'],
  ],
  [
    'a deleted zone with everything in it, its history and its change sets',
    deletedZone,
    deletedZoneLifetimeSeconds + deletedZoneGraceSeconds,
    ['deletedZones', 'rules', 'basicAuthUsers', 'zoneRevisions', 'changeSets'],
  ],
  [
    'a domain that was never verified',
    async (storage) => storedDomain(storage, (await storedOwner(storage)).organizationId, { state: 'pending' }),
    pendingDomainLifetimeSeconds,
    ['domains'],
  ],
  [
    'an abandoned change set',
    async (storage) => okOf(added(storage, await storedZone(storage))),
    2 * changeSetLifetimeSeconds,
    ['changeSets'],
  ],
];

function removals(storage: () => ExpiringStorage): void {
  for (const [what, store, seconds, records] of kinds) {
    it(`${what} after ${seconds} seconds, and not earlier`, async () => {
      await store(storage());
      const before = await storage().stored();
      await storage().passTime(seconds - 60);
      expect(await left(storage(), records)).to.deep.equal(records.map((kind) => before[kind]));
      for (const kind of records) expect(before[kind], kind).to.be.greaterThan(0);
      await storage().passTime(120);
      expect(await left(storage(), records)).to.deep.equal(records.map(() => 0));
    });
  }

  it('an unverified account so that its address can be registered again', async () => {
    const account = await storedUnverified(storage());
    await storage().passTime(unverifiedAccountLifetimeSeconds + 60);
    await forget(storage());
    await runUnit(storage(), ({ accounts }) => accounts.add(anAccount({ email: account.email })));
  });
}

const years = 10 * 365 * 24 * 3600;

function exceptions(storage: () => ExpiringStorage): void {
  it('verified accounts', async () => {
    await storedOwner(storage());
    await storage().passTime(years);
    expect(await left(storage(), ['accounts', 'organizations'])).to.deep.equal([1, 1]);
  });

  it('domains that were verified once', async () => {
    const { organizationId } = await storedOwner(storage());
    for (const state of ['verified', 'lapsing', 'lapsed'] as const)
      await storedDomain(storage(), organizationId, { state });
    await storage().passTime(years);
    expect(await left(storage(), ['domains'])).to.deep.equal([3]);
  });

  it('unverified accounts whose organization has zones', async () => {
    const { id: createdBy } = await storedUnverified(storage());
    const { id } = await runUnit(storage(), ({ organizations }) =>
      organizations.create({ name: anOrganizationName(), owner: createdBy }),
    );
    await runUnit(storage(), ({ zones }) => zones.add(aZone({ organizationId: id, createdBy })));
    await storage().passTime(years);
    expect(await left(storage(), ['accounts', 'organizations'])).to.deep.equal([1, 2]);
  });

  it('organizations with another member', async () => {
    const account = await storedUnverified(storage());
    const { organizationId } = await storedOwner(storage());
    await storage().setRole(organizationId, account.id, 'viewer');
    await storage().passTime(years);
    expect(await left(storage(), ['accounts', 'organizations'])).to.deep.equal([1, 1]);
  });

  it('mails that are not sent', async () => {
    await runUnit(storage(), ({ outbox }) => outbox.add(aMail()));
    await storage().passTime(years);
    expect(await left(storage(), ['mails'])).to.deep.equal([1]);
  });

  it('used refresh tokens as long as their session', async () => {
    const { token } = await storedSession(storage(), { lifetimeSeconds: years }, { lifetimeSeconds: 60 });
    const successor = { hash: aTokenHash(), lifetimeSeconds: 60 };
    await okOf(storage().unitOfWork.single(({ refreshTokens }) => refreshTokens.rotate(token, successor, noClient)));
    await storage().passTime(years - 60);
    expect(await left(storage(), ['sessions', 'refreshTokens'])).to.deep.equal([1, 2]);
  });

  it('zones, and their history', async () => {
    const { zone } = await storedZone(storage());
    await runUnit(storage(), ({ history }) => history.add(aRevision({ zoneId: zone.id, number: 1 })));
    await storage().passTime(years);
    expect(await left(storage(), ['zoneRevisions'])).to.deep.equal([1]);
    expect((await readView(storage(), ({ zones }) => zones.state(zone.id))).zone.id).to.equal(zone.id);
  });
}
