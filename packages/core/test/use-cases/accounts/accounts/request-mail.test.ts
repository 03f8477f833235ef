import {
  type DomainStorage,
  deliverNextMail,
  Email,
  type MailRequest,
  mailedTokenLifetimeSeconds,
  type Repositories,
} from '@zonewright/core';
import { memoryMailer } from '@zonewright/memory';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { requestMail } from '../../../../src/accounts/mailing/request-mail.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aNewUser, aUser, changeUser, email, noClient } from '../../../support/people.ts';
import { auditEntries, queuedMails } from '../../../support/traces.ts';
import { aWorld, everythingIn, hours, type World } from '../../../support/world.ts';

type Purpose = MailRequest['purpose'];
const purposes: readonly Purpose[] = ['verify-email', 'reset-password'];

const ask = (world: World, purpose: Purpose, address = email, client = noClient) =>
  valueOf(requestMail(world)(purpose, Email.parse(address), client));

/** Delivers until nothing is due; resolves to `kind address` of each sent mail. */
async function delivered(world: World): Promise<string[]> {
  const mailer = memoryMailer();
  const deliver = deliverNextMail({ ...world, mailer });
  while ((await valueOf(deliver())) === 'done');
  return mailer.sent.map(({ kind, to }) => `${kind} ${to}`);
}

/** A world with a user, whose mails have all been delivered. */
const aWorldWith = async (arrange: (world: World) => Promise<unknown>): Promise<World> => {
  const world = aWorld();
  await arrange(world);
  await delivered(world);
  world.clock.advance(hours(2));
  return world;
};

const blockedUser = async (world: World) => changeUser(world, await aUser(world), { active: false });
const blockedNewUser = async (world: World) => changeUser(world, await aNewUser(world), { active: false });

describe('requestMail', () => {
  for (const purpose of purposes) {
    const people: readonly (readonly [string, (world: World) => Promise<unknown>])[] = [
      ['an unknown address', async () => {}],
      ['an unverified address', aNewUser],
      ['a verified address', aUser],
      ['an address of a blocked account', blockedUser],
    ];
    for (const [who, arrange] of people) {
      it(`does the same work for ${purpose} and ${who}`, async () => {
        const world = await aWorldWith(arrange);
        const touched: string[] = [];
        await valueOf(requestMail(watching(world, touched))(purpose, Email.parse(email), noClient));
        expect(touched).to.deep.equal(['run', 'outbox', 'auditLog']);
        expect(queuedMails(world)).to.deep.equal([{ kind: 'request', purpose, email }]);
      });
    }
  }

  it('records the requester and client, but not the address', async () => {
    const world = aWorld();
    await aUser(world);
    const client = { network: '192.0.2.1', userAgent: 'curl/8' };
    await ask(world, 'reset-password', email, client);
    await ask(world, 'verify-email', email, client);
    const [reset, verification] = auditEntries(world).slice(-2);
    const common = { actor: undefined, credential: undefined, organization: undefined, objects: {}, client };
    expect(reset).to.deep.include({ action: 'account.passwordResetRequested', ...common });
    expect(verification).to.deep.include({ action: 'account.verificationRequested', ...common });
  });
});

describe('the preparation of a requested mail', () => {
  const cases: readonly (readonly [string, Purpose, (world: World) => Promise<unknown>, boolean])[] = [
    ['an unknown address', 'verify-email', async () => {}, false],
    ['an unknown address', 'reset-password', async () => {}, false],
    ['an unverified address', 'verify-email', aNewUser, true],
    ['an unverified address', 'reset-password', aNewUser, true],
    ['a verified address', 'verify-email', aUser, false],
    ['a verified address', 'reset-password', aUser, true],
    ['a blocked account', 'reset-password', blockedUser, false],
    ['a blocked account', 'verify-email', blockedNewUser, false],
  ];
  for (const [who, purpose, arrange, expected] of cases) {
    it(`sends ${expected ? 'a' : 'no'} mail for ${purpose} to ${who}`, async () => {
      const world = await aWorldWith(arrange);
      const { size } = everythingIn(world).mailedTokens;
      await ask(world, purpose);
      expect(await delivered(world)).to.deep.equal(expected ? [`${purpose} ${email}`] : []);
      expect(everythingIn(world).mailedTokens.size - size).to.equal(Number(expected));
      expect(queuedMails(world)).to.deep.equal([]);
    });
  }

  it('sends to the stored address, however it was typed', async () => {
    const world = await aWorldWith((each) => aUser(each, { email: 'Ada@Example.org' }));
    await ask(world, 'reset-password', 'aDA@eXAMPLE.ORG');
    expect(await delivered(world)).to.deep.equal(['reset-password Ada@Example.org']);
  });

  for (const purpose of purposes) {
    it(`starts the lifetime of a token for ${purpose} on preparation`, async () => {
      const world = await aWorldWith(aNewUser);
      await ask(world, purpose);
      world.clock.advance(600);
      await delivered(world);
      const [token] = [...everythingIn(world).mailedTokens.values()].slice(-1);
      expect(token).to.include({ purpose, used: false });
      expect(token?.expiresAt.getTime()).to.equal(
        world.clock.now().getTime() + mailedTokenLifetimeSeconds[purpose] * 1000,
      );
    });
  }

  it('sends at most three mails per hour and purpose, silently', async () => {
    const world = await aWorldWith(aNewUser);
    for (let count = 0; count < 5; count += 1) await ask(world, 'reset-password');
    expect(await delivered(world)).to.have.length(3);
    await ask(world, 'verify-email');
    expect(await delivered(world)).to.deep.equal([`verify-email ${email}`]);
    world.clock.advance(hours(1) - 1);
    await ask(world, 'reset-password');
    expect(await delivered(world)).to.deep.equal([]);
    world.clock.advance(1);
    await ask(world, 'reset-password');
    expect(await delivered(world)).to.deep.equal([`reset-password ${email}`]);
  });

  it('counts the mail of the registration', async () => {
    const world = aWorld();
    await aNewUser(world);
    for (let count = 0; count < 3; count += 1) await ask(world, 'verify-email');
    expect(await delivered(world)).to.have.length(3);
  });

  it('is rolled back as a whole if it fails, and keeps the request', async () => {
    const world = await aWorldWith(aUser);
    await ask(world, 'reset-password');
    const tokenHashes: World['tokenHashes'] = {
      of: () => {
        throw new Error('broken');
      },
    };
    const mailer = memoryMailer();
    const failure = await deliverNextMail({ ...world, tokenHashes, mailer })().then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(failure).to.be.an('error').with.property('message', 'broken');
    world.clock.advance(60);
    expect(await deliverNextMail({ ...world, mailer })()).to.deep.equal(ok('done'));
    expect(await delivered(world)).to.deep.equal([`reset-password ${email}`]);
  });
});

/** The world with a unit of work that records which ports are used. */
const watching = (world: World, touched: string[]): { readonly unitOfWork: DomainStorage } => {
  const noting = (repositories: Repositories): Repositories =>
    new Proxy(repositories, {
      get: (target, port: keyof Repositories) => {
        touched.push(port);
        return target[port];
      },
    });
  return {
    unitOfWork: {
      run: (work) => {
        touched.push('run');
        return world.unitOfWork.run((repositories) => work(noting(repositories)));
      },
      session: (credential) => world.unitOfWork.session(credential),
      single: (work) => {
        touched.push('single');
        return world.unitOfWork.single((repositories) => work(noting(repositories)));
      },
      view: (read) => {
        touched.push('view');
        return world.unitOfWork.view((repositories) => read(noting(repositories)));
      },
    },
  };
};
