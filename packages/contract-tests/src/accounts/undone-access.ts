import { Email, ProviderId, type RecoveryCodeHash, type SessionId, type UserId, useCases } from '@zonewright/core';
import { expect } from 'chai';
import {
  callerWith,
  storedAccount,
  storedIdentity,
  storedOwner,
  storedPasskey,
  storedSecondFactor,
  storedSession,
} from '../arrangements/index.ts';
import {
  anApiToken,
  anEmail,
  aPasskey,
  aPasswordHash,
  aSessionId,
  aTokenHash,
  unique,
  wholeList,
} from '../builders/index.ts';
import { fakePorts } from '../fakes.ts';
import { hold } from '../gate.ts';
import { errorOf, okOf, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

const beforeSeconds = 900;

/** Part of the contract of changes of addresses: what undoing one takes away from whoever made it. */
export function undoneAccess(storage: () => Storage): void {
  const storedToken = async (userId: UserId) => {
    const token = anApiToken({ userId });
    await runUnit(storage(), ({ apiTokens }) => apiTokens.add(token));
    return token;
  };
  const requestedBy = async (user: UserId, session: SessionId = aSessionId()) => {
    const change = { user, session, to: Email.parse(anEmail()), confirmation: aTokenHash(), undoing: aTokenHash() };
    await runUnit(storage(), ({ addressChanges }) =>
      addressChanges.request({ ...change, confirmSeconds: 1000, undoSeconds: 5000 }),
    );
    return change;
  };
  type Requested = Awaited<ReturnType<typeof requestedBy>>;
  const confirm = ({ confirmation }: Requested) =>
    runUnit(storage(), ({ addressChanges }) => addressChanges.confirm(confirmation, 5000));
  const undo = ({ undoing }: Requested) =>
    runUnit(storage(), ({ addressChanges }) => addressChanges.undo(undoing, beforeSeconds));
  const setPassword = (user: UserId) =>
    runUnit(storage(), ({ credentials }) => credentials.setPassword(user, aPasswordHash('new hash')));
  const accessOf = async (user: UserId) => {
    const { passwordHash, twoFactorEnabled, passkeys, providers } = await readView(storage(), ({ accounts }) =>
      accounts.facts(user),
    );
    const { items } = await readView(storage(), ({ apiTokens }) => apiTokens.list(user, wholeList));
    const tokens = items.filter(({ active }) => active).map(({ id }) => id);
    return { hasPassword: passwordHash !== undefined, twoFactorEnabled, passkeys, providers, tokens };
  };
  const withOldAccess = async () => {
    const { id } = await storedAccount(storage());
    await storedPasskey(storage(), { userId: id });
    await storedIdentity(storage(), { userId: id });
    const token = await storedToken(id);
    await storage().passTime(beforeSeconds + 1);
    return { id, access: { passkeys: 1, providers: 1, tokens: [token.id] } };
  };

  it('ends what was added since the change, and nothing older or of others', async () => {
    const other = await storedAccount(storage());
    const { id, access } = await withOldAccess();
    const change = await requestedBy(id);
    await confirm(change);
    const passkey = await storedPasskey(storage(), { userId: id });
    const provider = ProviderId.parse('other');
    const identity = await storedIdentity(storage(), { userId: id, provider });
    const token = await storedToken(id);
    await storedSecondFactor(storage(), id);
    await setPassword(id);
    await Promise.all([storedPasskey(storage(), { userId: other.id }), storedToken(other.id)]);
    const { user, ended } = await undo(change);
    expect(user).to.equal(id);
    // The members that an adapter leaves out or empty do not matter.
    expect(ended.map((each) => ({ id: null, provider: null, ...each }))).to.have.deep.members([
      { kind: 'passkey', id: passkey.id, provider: null },
      { kind: 'identity', id: identity.id, provider },
      { kind: 'apiToken', id: token.id, provider: null },
      { kind: 'authenticator', id: null, provider: null },
      { kind: 'password', id: null, provider: null },
    ]);
    expect(await accessOf(id)).to.deep.equal({ ...access, hasPassword: false, twoFactorEnabled: false });
    expect(await accessOf(other.id)).to.deep.include({ hasPassword: true, passkeys: 1 });
  });

  it('ends what was added shortly before the request, and for a change that is not confirmed yet, too', async () => {
    const { id } = await storedAccount(storage());
    await storedPasskey(storage(), { userId: id });
    await storage().passTime(beforeSeconds - 10);
    const change = await requestedBy(id);
    await setPassword(id);
    expect((await undo(change)).ended.map(({ kind }) => kind)).to.deep.equal(['passkey']);
    // Whoever set this password had it from the old address, or knew the one before.
    expect(await accessOf(id)).to.include({ hasPassword: true, passkeys: 0 });
  });

  it('keeps a password, a second factor and recovery codes that are older', async () => {
    const { id } = await storedAccount(storage());
    const codes = ['old', 'new'].map((name) => `key:${name} ${unique()}` as RecoveryCodeHash);
    const [old, replaced] = [codes.slice(0, 1), codes.slice(1)];
    const replace = (hashes: readonly RecoveryCodeHash[]) =>
      runUnit(storage(), ({ twoFactors }) => twoFactors.replaceRecoveryCodes(id, hashes));
    const spend = (hashes: readonly RecoveryCodeHash[]) =>
      storage().unitOfWork.run(({ twoFactors }) => twoFactors.spendRecoveryCode(id, hashes));
    await setPassword(id);
    await storedSecondFactor(storage(), id);
    await replace(old);
    await storage().passTime(beforeSeconds + 1);
    const first = await requestedBy(id);
    await confirm(first);
    expect((await undo(first)).ended).to.deep.equal([]);
    expect(await accessOf(id)).to.include({ hasPassword: true, twoFactorEnabled: true });
    await okOf(spend(old));
    const second = await requestedBy(id);
    await replace(replaced);
    await undo(second);
    expect(await errorOf(spend(replaced))).to.deep.equal({ type: 'InvalidVerificationCode' });
  });

  it('waits for what is being added, and ends it', async () => {
    const { id } = await storedAccount(storage());
    const { sessionId } = await storedSession(storage(), { userId: id });
    const change = await requestedBy(id, sessionId);
    const passkey = aPasskey({ userId: id });
    const held = await hold(storage(), ({ credentials }) => credentials.lockBy(id, sessionId));
    const undone = undo(change);
    await okOf(held.endBefore(undone, ({ passkeys }) => passkeys.add(passkey)));
    expect((await undone).ended).to.have.length(1);
    expect(await accessOf(id)).to.include({ passkeys: 0 });
  });

  it('makes whoever adds something wait, and refuses it as their session has ended', async () => {
    const { userId, organizationId } = await storedOwner(storage());
    const { sessionId } = await storedSession(storage(), { userId });
    const change = await requestedBy(userId, sessionId);
    const held = await hold(storage(), ({ addressChanges }) => addressChanges.undo(change.undoing, beforeSeconds));
    const caller = callerWith(userId, organizationId, 'owner');
    const stolen = { ...caller, credential: { ...caller.credential, id: sessionId } };
    const { name } = anApiToken({ userId });
    const added = useCases({ ...fakePorts, unitOfWork: storage().unitOfWork }).createApiToken(stolen, {
      name,
      readOnly: false,
      organizations: [],
    });
    await okOf(held.endBefore(added, ({ sessions }) => sessions.endAllOf(userId)));
    expect(await errorOf(added)).to.deep.equal({ type: 'Unauthenticated' });
    expect((await accessOf(userId)).tokens).to.deep.equal([]);
  });
}
