import {
  type DomainStorage,
  type NoAttestation,
  providerUnavailable,
  type SessionCaller,
  signInDeclined,
} from '@zonewright/core';
import { expect } from 'chai';
import { ResultAsync } from 'neverthrow';
import { readProfile } from '../../../../src/accounts/accounts/read-accounts.ts';
import { completeFlow } from '../../../../src/accounts/identities/complete-flow.ts';
import { listSessions } from '../../../../src/accounts/sessions/own-sessions.ts';
import { completeTwoFactor } from '../../../../src/accounts/sign-in/complete-two-factor.ts';
import { aReturn, aSessionBy, recognized, returned, school, schoolAddress } from '../../../support/identities.ts';
import { callerOf } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aNewUser, aUser, changeUser, email, noClient, storedUser } from '../../../support/people.ts';
import { auditActionsIn, entriesDuring, noticesIn } from '../../../support/traces.ts';
import { aSecondFactor, codeOf } from '../../../support/two-factor.ts';
import { aWorld, everythingIn, type World } from '../../../support/world.ts';

const accounts = (world: World) => everythingIn(world).users.size;

describe('completeFlow', () => {
  describe('of somebody new', () => {
    it('creates a verified account without password, with an organization, and says so once', async () => {
      const world = aWorld();
      const entries = await entriesDuring(world, () =>
        aSessionBy(world, { email, givenName: 'Ada', familyName: 'King' }),
      );
      expect(entries.map(({ action }) => action)).to.deep.equal(['account.registered', 'session.opened']);
      for (const { objects } of entries) expect(objects).to.include({ provider: 'corp' });
      expect(noticesIn(world)).to.deep.equal([]);
      const { id } = storedUser(world, email)!;
      expect(await valueOf(readProfile(world)({ userId: id }))).to.include({
        firstName: 'Ada',
        lastName: 'King',
        emailVerified: true,
        hasPassword: false,
      });
      expect([...callerOf(world, id).memberships.values()]).to.deep.equal([{ role: 'owner', needsTwoFactor: false }]);
    });

    const names: readonly (readonly [given: object, first: string, last: string])[] = [
      [{ fullName: 'Ada King Lovelace' }, 'Ada', 'King Lovelace'],
      [{ fullName: 'Ada' }, 'Ada', 'example.org'],
      [{}, 'ada', 'example.org'],
      [{ givenName: 'A'.repeat(200), familyName: '\u0000' }, 'A'.repeat(100), 'example.org'],
    ];
    for (const [given, firstName, lastName] of names) {
      it(`names an account ${firstName.slice(0, 9)} ${lastName} for ${JSON.stringify(given).slice(0, 40)}`, async () => {
        const world = aWorld();
        await aSessionBy(world, { email, ...given });
        expect(storedUser(world, email)).to.include({ firstName, lastName });
      });
    }

    it('never leads to an account that has the address', async () => {
      const world = aWorld();
      await aUser(world);
      expect(await refusalOf(returned(world, { email: 'ADA@example.org' }))).to.deep.equal(['AccountExists']);
      expect(accounts(world)).to.equal(1);
    });

    it('leads to the account that another flow of the same person has created in the meantime', async () => {
      const world = aWorld();
      let other: SessionCaller | undefined;
      const { unitOfWork } = world;
      const run: DomainStorage['run'] = (work) =>
        ResultAsync.fromSafePromise(aSessionBy(world, { email })).andThen(({ caller }) => {
          other = caller;
          return unitOfWork.run(work);
        });
      const interrupted = {
        run,
        single: unitOfWork.single.bind(unitOfWork),
        view: unitOfWork.view.bind(unitOfWork),
        session: unitOfWork.session.bind(unitOfWork),
      };
      const { loggedIn } = await valueOf(
        completeFlow({ ...world, unitOfWork: interrupted })(await aReturn(world, { email }), noClient),
      );
      if (loggedIn?.outcome !== 'session') throw new Error('The sign-in is not complete.');
      expect((await recognized(world, loggedIn.tokens)).userId).to.equal(other?.userId);
      expect(accounts(world)).to.equal(1);
    });

    it('replaces an account whose address was never verified', async () => {
      const world = aWorld();
      const stranger = await aNewUser(world);
      const { caller } = await aSessionBy(world, { email });
      expect(caller.userId).not.to.equal(stranger);
      expect(accounts(world)).to.equal(1);
      expect(everythingIn(world).organizations.size).to.equal(1);
    });

    it('leaves an account alone that the operator has blocked', async () => {
      const world = aWorld();
      const id = await aNewUser(world);
      changeUser(world, id, { active: false });
      expect(await refusalOf(returned(world, { email }))).to.deep.equal(['AccountInactive']);
    });

    it('needs a verified address', async () => {
      const world = aWorld();
      expect(await refusalOf(returned(world, {}))).to.deep.equal(['NoVerifiedAddress']);
      expect(accounts(world)).to.equal(0);
    });
  });

  describe('of somebody known', () => {
    it('signs in to the account of the identity, whatever the address is now', async () => {
      const world = aWorld();
      const { caller } = await aSessionBy(world, { email });
      const again = await aSessionBy(world, { email: 'other@example.org' });
      expect(again.caller.userId).to.equal(caller.userId);
      expect(again.caller.credential).to.include({ provider: 'corp', confirmed: true });
      expect(again.caller.credential.confirmableBy).to.deep.equal(['provider']);
    });

    it('refuses an inactive account', async () => {
      const world = aWorld();
      const { caller } = await aSessionBy(world, { email });
      changeUser(world, caller.userId, { active: false });
      expect(await refusalOf(returned(world, { email }))).to.deep.equal(['AccountInactive']);
      expect(auditActionsIn(world).at(-1)).to.equal('login.inactive');
    });

    it('asks for the second factor of the account, unless the provider vouches for one', async () => {
      const world = aWorld();
      const { caller } = await aSessionBy(world, { email });
      const { secret } = await aSecondFactor(world, caller);
      const { loggedIn } = await valueOf(returned(world, { email }));
      if (loggedIn?.outcome !== 'challenge') throw new Error('There is no challenge.');
      const answer = { challengeToken: loggedIn.challengeToken, code: codeOf(world, secret) };
      const completed = await recognized(world, await valueOf(completeTwoFactor(world)(answer, noClient)));
      expect(completed.credential.provider).to.equal('corp');
      const trusted = await aSessionBy(world, { email, isMultiFactor: true });
      const { items } = await valueOf(listSessions(world)(trusted.caller, { page: 1, itemsPerPage: 10 }));
      expect(items.filter(({ twoFactor }) => twoFactor)).to.have.length(2);
    });

    it('admits only addresses of the domains of the provider, at every sign-in', async () => {
      const world = aWorld();
      const { caller } = await aSessionBy(world, { email: 'Ada@School.example' }, school);
      const by = { provider: school };
      expect(await refusalOf(returned(world, { email }, by))).to.deep.equal(['DomainNotAllowed']);
      expect(await refusalOf(returned(world, { email: 'ada@sub.school.example' }, by))).to.deep.equal([
        'DomainNotAllowed',
      ]);
      expect(await refusalOf(returned(world, {}, by))).to.deep.equal(['NoVerifiedAddress']);
      expect((await aSessionBy(world, { email: schoolAddress }, school)).caller.userId).to.equal(caller.userId);
    });
  });

  describe('that is not the return of the flow', () => {
    const changed: readonly (readonly [what: string, change: (back: Awaited<ReturnType<typeof aReturn>>) => object])[] =
      [
        ['from a browser without a flow', () => ({ sealed: undefined })],
        ['with a flow that was not begun here', () => ({ sealed: 'made up' })],
        ['at the address of another provider, as in a mix-up', () => ({ provider: school })],
        ['with another state', ({ answer }) => ({ answer: { ...answer, state: 'another' } })],
        ['without a state', ({ answer }) => ({ answer: { code: answer.code } })],
      ];
    for (const [what, change] of changed) {
      it(`is refused ${what}`, async () => {
        const world = aWorld();
        const back = await aReturn(world, { email });
        expect(await refusalOf(completeFlow(world)({ ...back, ...change(back) }, noClient))).to.deep.equal([
          'FlowInvalid',
        ]);
        expect(accounts(world)).to.equal(0);
      });
    }

    it('is refused the second time, even if the first time failed', async () => {
      const world = aWorld();
      for (const answer of [{ email }, { email: undefined }]) {
        const back = await aReturn(world, answer);
        await completeFlow(world)(back, noClient);
        const code = world.signInProviders.codeFor({ subject: 'eve' });
        const again = { ...back, answer: { ...back.answer, code } };
        expect(await refusalOf(completeFlow(world)(again, noClient))).to.deep.equal(['FlowInvalid']);
      }
    });
  });

  for (const refusal of [providerUnavailable('away'), signInDeclined('access_denied')] satisfies NoAttestation[]) {
    it(`passes on that the provider attests nothing: ${refusal.type}`, async () => {
      const world = aWorld();
      expect(await refusalOf(returned(world, refusal))).to.deep.equal([refusal.type]);
      expect(everythingIn(world).sessions.size).to.equal(0);
    });
  }
});
