import { useCases } from '@zonewright/core';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { storedOwner, storedSession } from '../../arrangements/index.ts';
import { noClient } from '../../builders/index.ts';
import { fakePorts } from '../../fakes.ts';
import { errorOf, okOf, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { callerOf, isRefused, lives } from './authentication.ts';

/** What the caller of a session may do, and which sessions authenticate nobody. */
export function recognition(storage: () => Storage): void {
  it('returns the current memberships', async () => {
    const [own, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const session = await storedSession(storage(), { userId: own.userId });
    await storage().setRole(other.organizationId, own.userId, 'viewer');
    const rolesNow = async () =>
      [...(await okOf(callerOf(storage(), session))).memberships].map(([id, { role }]) => [id, role]);
    expect(await rolesNow()).to.deep.equal([
      [own.organizationId, 'owner'],
      [other.organizationId, 'viewer'],
    ]);
    await storage().setRole(other.organizationId, own.userId, 'editor');
    await storage().setRole(own.organizationId, own.userId, undefined);
    expect(await rolesNow()).to.deep.equal([[other.organizationId, 'editor']]);
  });

  it('authenticates the caller until the session expires', async () => {
    const session = await storedSession(storage(), { lifetimeSeconds: 1000 });
    await storage().passTime(900);
    expect(await lives(storage(), session)).to.equal(true);
    await storage().passTime(100);
    await isRefused(storage(), session);
  });

  it('is queried at every authentication', async () => {
    const session = await storedSession(storage());
    const accessTokens = { ...fakePorts.accessTokens, verify: () => ok(session) };
    const recognize = () =>
      useCases({ unitOfWork: storage().unitOfWork, ...fakePorts, accessTokens }).authenticate(
        { kind: 'access token', token: 'a token' },
        noClient,
      );
    expect((await recognize()).isOk()).to.equal(true);
    await runUnit(storage(), ({ sessions }) => sessions.end(session));
    expect(await errorOf(recognize())).to.deep.equal({ type: 'Unauthenticated' });
  });
}
