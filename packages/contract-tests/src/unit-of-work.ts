import { type AuditFilter, emailKey, type OrganizationId, type Repositories, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { errAsync, okAsync, ResultAsync } from 'neverthrow';
import {
  applied,
  callerOf,
  removed,
  storedAccount,
  storedOwner,
  storedSession,
  storedZone,
  storedZoneWithRules,
  withRules,
  withUsers,
} from './arrangements/index.ts';
import {
  aBasicAuthUser,
  aLoadBalancer,
  aMail,
  aMailedToken,
  anAccount,
  anApiToken,
  anAuditEntry,
  anOrganizationName,
  anOrigin,
  anOriginServer,
  aRule,
  aSession,
  aTokenHash,
  aTotpSecret,
  aZone,
  noClient,
  wholeList,
} from './builders/index.ts';
import { contract } from './fresh-storage.ts';
import { hold } from './gate.ts';
import { errorOf, okOf, readView, rejectionOf, runUnit } from './results.ts';
import type { Storage } from './storage.ts';

/** Every adapter must pass this unchanged. */
export const unitOfWorkContract = contract('UnitOfWork contract', (storage) => {
  describe('run', () => running(storage));
  describe('a unit that writes everywhere', () => undoing(storage));
  describe('single', () => singleCalls(storage));
  describe('view', () => viewing(storage));
});

function running(storage: () => Storage): void {
  it('resolves to the value of the work', async () => {
    expect(await okOf(storage().unitOfWork.run(() => okAsync({ answer: 42 })))).to.deep.equal({ answer: 42 });
  });

  it('resolves to the error of the work', async () => {
    const error = { type: 'Refused' as const, reason: 'because' };
    expect(await errorOf(storage().unitOfWork.run(() => errAsync(error)))).to.equal(error);
  });

  it('rejects with the rejection of the work', async () => {
    const defect = new TypeError('a defect');
    const unit = storage().unitOfWork.run(() => ResultAsync.fromSafePromise(Promise.reject(defect)));
    expect(await rejectionOf(unit)).to.equal(defect);
  });

  it('rejects with the exception of the work', async () => {
    const defect = new TypeError('a defect');
    const unit = storage().unitOfWork.run(() => {
      throw defect;
    });
    expect(await rejectionOf(unit)).to.equal(defect);
  });

  it('shows the work its own writes', async () => {
    const account = anAccount();
    const facts = await runUnit(storage(), ({ accounts }) =>
      accounts.add(account).andThen(() => accounts.factsByEmail(emailKey(account.email))),
    );
    expect(facts).to.include({ userId: account.id });
  });

  it('runs the next unit after one was rejected', async () => {
    const rejected = storage().unitOfWork.run(() => ResultAsync.fromSafePromise(Promise.reject(new Error('a defect'))));
    await rejectionOf(rejected);
    expect(await runUnit(storage(), () => okAsync('next'))).to.equal('next');
  });
}

function singleCalls(storage: () => Storage): void {
  it('commits what the call writes', async () => {
    const { token } = await storedSession(storage());
    const successor = { hash: aTokenHash(), lifetimeSeconds: 1000 };
    const rotation = await okOf(
      storage().unitOfWork.single(({ refreshTokens }) => refreshTokens.rotate(token, successor, noClient)),
    );
    expect(rotation.state).to.equal('rotated');
    const { state } = await runUnit(storage(), ({ refreshTokens }) => refreshTokens.present(successor.hash));
    expect(state).to.equal('live');
  });
}

/** A unit that writes through every port, and what a reader sees afterwards. */
async function everywhere(storage: Storage) {
  const { userId, organizationId, zoneId, list } = await storedZoneWithRules(storage, 2);
  const doomed = await storedZone(storage);
  const session = await storedSession(storage, { userId });
  const [account, mailed, successor] = [anAccount(), aMailedToken({ userId }), aTokenHash()];
  const [opened, zone, rule] = [aSession({ userId }), aZone({ organizationId, createdBy: userId }), aRule(list.kind)];
  const [user, server, apiToken] = [aBasicAuthUser(), anOriginServer({ organizationId }), anApiToken({ userId })];

  const write = (repositories: Repositories): ResultAsync<void, unknown> => {
    const { accounts, apiTokens, auditLog, mailedTokens, sessions, refreshTokens } = repositories;
    const { organizations, members, loadBalancers, originServers, twoFactors, zones, outbox } = repositories;
    return accounts
      .add(account)
      .andThen(() => accounts.markEmailVerified(account.id, emailKey(account.email)))
      .andThen(() => mailedTokens.issue(mailed))
      .andThen(() => apiTokens.add(apiToken))
      .andThen(() => twoFactors.begin({ user: userId, secret: aTotpSecret(), lifetimeSeconds: 900 }))
      .andThen(() => members.add(organizationId, account.id, 'viewer'))
      .andThen(() => originServers.add(server, undefined))
      .andThen(() => loadBalancers.add(aLoadBalancer({ organizationId, origins: [anOrigin(server.id)] }), undefined))
      .andThen(() => auditLog.record(anAuditEntry({ organization: organizationId, actor: account.id })))
      .andThen(() => refreshTokens.present(session.token))
      .andThen(() => refreshTokens.rotate(session.token, { hash: successor, lifetimeSeconds: 1000 }, noClient))
      .andThen(() => sessions.open(opened))
      .andThen(() => organizations.create({ name: anOrganizationName(), owner: userId }))
      .andThen(() => zones.add(zone))
      .andThen(() =>
        applied(repositories, zoneId, (state) => ({
          ...withRules(list, [rule])(state),
          ...withUsers({ added: [user] })(),
        })),
      )
      .andThen(() => removed(repositories, doomed.zone.id))
      .andThen(() => outbox.add(aMail()));
  };

  const found = async (read: (repositories: Repositories) => ResultAsync<unknown, unknown>) =>
    (
      await storage.unitOfWork.run((repositories) =>
        read(repositories)
          .mapErr(() => undefined)
          .andThen((value) => errAsync(value)),
      )
    ).match(
      () => undefined,
      (value) => value,
    );
  const traces = async () => ({
    account: (await found(({ accounts }) => accounts.profile(account.id))) !== undefined,
    mailedToken: (await found(({ mailedTokens }) => mailedTokens.redeem(mailed.hash, mailed.purpose))) !== undefined,
    session: (await storage.unitOfWork.session({ kind: 'session', userId, sessionId: opened.id }).caller()).isOk(),
    usedToken: await found(({ refreshTokens }) => refreshTokens.present(session.token).map(({ state }) => state)),
    apiTokens: await found(({ apiTokens }) => apiTokens.list(userId, wholeList).map(({ totalItems }) => totalItems)),
    twoFactor: await found(({ twoFactors }) => twoFactors.lock(userId).map(({ state }) => state)),
    members: await found(({ members }) => members.count(organizationId)),
    backends: await found(({ backends }) => backends.count(organizationId)),
    auditLog: await found(({ auditLog }) =>
      auditLog.list(entriesOf(organizationId, account.id), wholeList).map(({ totalItems }) => totalItems),
    ),
    successor: await found(({ refreshTokens }) => refreshTokens.present(successor).map(({ state }) => state)),
    memberships: (await callerOf(storage, { kind: 'session', ...session })).memberships.size,
    zone: (await found(({ zones }) => zones.head(zone.id))) !== undefined,
    removedZone: (await found(({ zones }) => zones.head(doomed.zone.id))) !== undefined,
    rules: await found(({ zones }) => zones.state(zoneId).map(({ rules }) => rules[list.kind].length)),
    basicAuthUsers: await found(({ zones }) => zones.state(zoneId).map(({ users }) => users.length)),
    revisions: await found(({ history }) => history.list(zoneId, wholeList).map(({ totalItems }) => totalItems)),
    revision: await found(({ zones }) => zones.state(zoneId).map((contents) => contents.zone.revision)),
    mails: await storage.mailContents(),
  });
  return { write, traces };
}

const entriesOf = (organization: OrganizationId, actor: UserId): AuditFilter => ({
  organization,
  actions: [],
  actor,
  since: undefined,
  until: undefined,
});

const untouched = {
  account: false,
  mailedToken: false,
  session: false,
  apiTokens: 0,
  twoFactor: 'disabled',
  members: 1,
  backends: 0,
  auditLog: 0,
  usedToken: 'live',
  successor: 'unknown',
  memberships: 1,
  zone: false,
  removedZone: true,
  rules: 2,
  basicAuthUsers: 0,
  revisions: 1,
  revision: 2,
  mails: 0,
};

const written = {
  account: true,
  mailedToken: true,
  session: true,
  apiTokens: 1,
  twoFactor: 'pending',
  members: 2,
  backends: 2,
  auditLog: 1,
  usedToken: 'used',
  successor: 'live',
  memberships: 2,
  zone: true,
  removedZone: false,
  rules: 3,
  basicAuthUsers: 1,
  revisions: 2,
  revision: 3,
  mails: 1,
};

function undoing(storage: () => Storage): void {
  it('keeps every write if it ends in Ok', async () => {
    const { write, traces } = await everywhere(storage());
    expect(await traces()).to.deep.equal(untouched);
    await runUnit(storage(), write);
    expect(await traces()).to.deep.equal(written);
  });

  it('rolls back every write if it ends in Err', async () => {
    const { write, traces } = await everywhere(storage());
    const unit = storage().unitOfWork.run((repositories) => write(repositories).andThen(() => errAsync('refused')));
    expect(await errorOf(unit)).to.equal('refused');
    expect(await traces()).to.deep.equal(untouched);
  });

  it('rolls back every write if it rejects', async () => {
    const { write, traces } = await everywhere(storage());
    const defect = new TypeError('a defect');
    const unit = storage().unitOfWork.run((repositories) =>
      write(repositories).andThen(() => ResultAsync.fromSafePromise(Promise.reject(defect))),
    );
    expect(await rejectionOf(unit)).to.equal(defect);
    expect(await traces()).to.deep.equal(untouched);
  });
}

function viewing(storage: () => Storage): void {
  it('resolves to the value or error of the reads, and rejects with their defects', async () => {
    const { unitOfWork } = storage();
    const defect = new TypeError('a defect');
    expect(await okOf(unitOfWork.view(() => okAsync(42)))).to.equal(42);
    expect(await errorOf(unitOfWork.view(() => errAsync('refused')))).to.equal('refused');
    const rejected = unitOfWork.view(() => ResultAsync.fromSafePromise(Promise.reject(defect)));
    expect(await rejectionOf(rejected)).to.equal(defect);
    const threw = unitOfWork.view(() => {
      throw defect;
    });
    expect(await rejectionOf(threw)).to.equal(defect);
  });

  it('sees nothing of an uncommitted unit, does not wait for it, and sees all of it afterwards', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const zone = aZone({ organizationId, createdBy: userId });
    const filter = { organizations: [organizationId], tags: [], search: undefined };
    const names = async () =>
      (await readView(storage(), ({ zones }) => zones.list(filter, [], { page: 1, itemsPerPage: 10 }))).items.map(
        ({ name }) => name,
      );
    const held = await hold(storage(), ({ zones }) => zones.add(zone));
    expect(await names()).to.deep.equal([]);
    await held.release();
    expect(await names()).to.deep.equal([zone.name]);
  });

  it('sees what a unit is about to remove until it is committed', async () => {
    const { zone } = await storedZone(storage());
    const owner = () => storage().unitOfWork.view(({ zones }) => zones.head(zone.id));
    const held = await hold(storage(), (repositories) => removed(repositories, zone.id));
    expect((await owner()).isOk()).to.equal(true);
    await held.release();
    expect((await owner()).isOk()).to.equal(false);
  });

  it('lets each read see what is committed when it runs', async () => {
    const { id } = await storedAccount(storage());
    const revisions = await readView(storage(), ({ accounts }) =>
      accounts.profile(id).andThen((before) =>
        storage()
          .unitOfWork.run((unit) => unit.accounts.markEmailVerified(id, emailKey(before.email)))
          .andThen(() => accounts.profile(id))
          .map((after) => after.revision - before.revision),
      ),
    );
    expect(revisions).to.equal(1);
  });
}
