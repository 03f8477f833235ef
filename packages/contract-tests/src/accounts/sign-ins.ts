import { type Client, Login, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { block, storedAccount, storedSession } from '../arrangements/index.ts';
import { aPasswordHash, aSession, aTokenHash, noClient, wholeList } from '../builders/index.ts';
import { casesOn } from '../fakes.ts';
import { contract } from '../fresh-storage.ts';
import { hold } from '../gate.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rounds, runUnit, tally } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const signInsContract = contract('SignIns contract', (storage) => {
  describe('noteNetwork', () => networks(storage));
  describe('openSilently', () => quietOpening(storage));
});

function networks(storage: () => Storage): void {
  const limits = { rememberedSeconds: 1000, kept: 3 };
  const note = (user: UserId, network: string) =>
    runUnit(storage(), ({ signIns }) => signIns.noteNetwork(user, network, limits));
  const noteAll = async (user: UserId, ...places: readonly string[]) => {
    const standings = [];
    for (const network of places) {
      standings.push(await note(user, network));
      await storage().passTime(1);
    }
    return standings;
  };

  it('distinguishes the first network of a user from known and new ones, per user', async () => {
    const [{ id: ada }, { id: grace }] = [await storedAccount(storage()), await storedAccount(storage())];
    expect(await noteAll(ada, 'a', 'a', 'b', 'a', 'b')).to.deep.equal(['first', 'known', 'new', 'known', 'known']);
    expect(await noteAll(grace, 'b', 'a')).to.deep.equal(['first', 'new']);
  });

  it('knows a network for the given time after its last use; after that, it is new but not the first', async () => {
    const { id: user } = await storedAccount(storage());
    await note(user, 'a');
    for (let time = 1; time <= 3; time += 1) {
      await storage().passTime(990);
      expect(await note(user, 'a')).to.equal('known');
    }
    await storage().passTime(1000);
    expect(await note(user, 'a')).to.equal('new');
    expect(await note(user, 'a')).to.equal('known');
  });

  it('remembers the given number of most recently used networks', async () => {
    const { id: user } = await storedAccount(storage());
    await noteAll(user, 'a', 'b', 'c', 'a', 'd');
    expect(await noteAll(user, 'a', 'c', 'd', 'b')).to.deep.equal(['known', 'known', 'known', 'new']);
  });

  it('makes a second sign-in from a new network wait, and reports it as new only once', async () => {
    const { id: user } = await storedAccount(storage());
    await note(user, 'home');
    const held = await hold(storage(), ({ signIns }) => signIns.noteNetwork(user, 'away', limits));
    const second = note(user, 'away');
    await held.endBefore(second);
    expect(await second).to.equal('known');
  });

  it('reports a network as new to one of twenty concurrent sign-ins', async () => {
    const account = await storedAccount(storage());
    const signIn = casesOn(storage()).logIn;
    const from = (network: string) =>
      signIn(Login.parse({ email: account.email, password: 'Right-1' }), { network, userAgent: undefined });
    await runUnit(storage(), ({ credentials }) =>
      credentials.setPassword(account.id, aPasswordHash('hash of Right-1')),
    );
    await okOf(from('192.0.2.1'));
    expect(tally(await concurrently(raceSize, () => from('192.0.2.2')))).to.deep.equal({ Ok: raceSize });
    expect(await storage().mailContents()).to.equal(1);
  });
}

function quietOpening(storage: () => Storage): void {
  const maxLive = 3;
  const home: Client = { ...noClient, network: 'home' };
  const signIn = (userId: UserId, client = home) => ({
    session: aSession({ userId, maxLive }),
    refreshToken: { hash: aTokenHash(), lifetimeSeconds: 1000 },
    client,
    rememberedSeconds: 1000,
  });
  const open = (given: ReturnType<typeof signIn>) =>
    storage().unitOfWork.single(({ signIns }) => signIns.openSilently(given));
  const live = async (userId: UserId) =>
    (await readView(storage(), ({ sessions }) => sessions.list(userId, wholeList))).items.map(({ id }) => id);

  for (const [which, client] of [
    ['the first network of a user, which is known from then on', home],
    ['no network', noClient],
  ] as const) {
    it(`opens a session with a refresh token from ${which}`, async () => {
      const { id: userId } = await storedAccount(storage());
      for (const given of [signIn(userId, client), signIn(userId, client)]) {
        expect(await okOf(open(given))).to.equal(true);
        const presented = await runUnit(storage(), ({ refreshTokens }) =>
          refreshTokens.present(given.refreshToken.hash),
        );
        expect(presented).to.include({ state: 'live', userId, sessionId: given.session.id });
      }
      expect(await live(userId)).to.have.length(2);
    });
  }

  it('writes nothing for a network that is new or was used long ago', async () => {
    const { id: userId } = await storedAccount(storage());
    await okOf(open(signIn(userId)));
    const kept = await live(userId);
    expect(await okOf(open(signIn(userId, { ...noClient, network: 'away' })))).to.equal(false);
    await storage().passTime(1000);
    expect(await okOf(open(signIn(userId)))).to.equal(false);
    expect(await live(userId)).to.deep.equal(kept);
  });

  for (const [what, change] of [
    ['the credentials changed', (id: UserId) => storage().changeCredentials(id)],
    ['the account was blocked', (id: UserId) => block(storage(), id)],
  ] as const) {
    it(`opens nothing if ${what} since the check`, async () => {
      const { id: userId } = await storedAccount(storage());
      await change(userId);
      expect(await errorOf(open(signIn(userId)))).to.deep.equal({ type: 'InvalidCredentials' });
      expect(await live(userId)).to.deep.equal([]);
    });
  }

  it('ends the least recently used sessions', async () => {
    const { id: userId } = await storedAccount(storage());
    const opened = [];
    for (let count = 0; count <= maxLive; count += 1) {
      const given = signIn(userId);
      expect(await okOf(open(given))).to.equal(true);
      opened.unshift(given.session.id);
      await storage().passTime(1);
    }
    expect(await live(userId)).to.deep.equal(opened.slice(0, maxLive));
  });

  it('waits for another sign-in of the user, and then leaves the decision to a unit', async () => {
    const { id: userId } = await storedAccount(storage());
    const held = await hold(storage(), ({ sessions }) => sessions.open(aSession({ userId })));
    const second = open(signIn(userId));
    await held.endBefore(second);
    expect(await okOf(second)).to.equal(!storage().unitsOverlap);
  });

  it('leaves no more live sessions than allowed, and one report of a new network, after twenty sign-ins', async () => {
    for (const _ of rounds) {
      const { id: userId } = await storedAccount(storage());
      await storedSession(storage(), { userId });
      const results = await concurrently(raceSize, (index) =>
        open(signIn(userId, { ...noClient, network: `from ${index % 3}` })),
      );
      expect(tally(results)).to.deep.equal({ Ok: raceSize });
      expect((await live(userId)).length).to.be.within(1, maxLive);
      const noted = await runUnit(storage(), ({ signIns }) =>
        signIns.noteNetwork(userId, 'elsewhere', { rememberedSeconds: 1000, kept: 9 }),
      );
      expect(noted).to.equal('new');
    }
  });
}
