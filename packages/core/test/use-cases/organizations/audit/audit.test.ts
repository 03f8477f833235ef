import {
  type AuditAction,
  type AuditFilter,
  type DomainStorage,
  type OrganizationId,
  OrganizationId as OrganizationIds,
  organizationNotFound,
  permissionDenied,
  twoFactorRequired,
  ZoneId,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, errAsync, ok } from 'neverthrow';
import { register } from '../../../../src/accounts/registration/register.ts';
import { verifyEmail } from '../../../../src/accounts/registration/verify-email.ts';
import { logOut } from '../../../../src/accounts/sessions/log-out.ts';
import { refreshSession } from '../../../../src/accounts/sessions/refresh-session.ts';
import { logIn } from '../../../../src/accounts/sign-in/log-in.ts';
import { recordRefusal } from '../../../../src/organizations/audit/record.ts';
import { readAuditLog } from '../../../../src/organizations/organizations/read-audit-log.ts';
import { createRule } from '../../../../src/zones/rules/create-rule.ts';
import { deleteRule } from '../../../../src/zones/rules/delete-rule.ts';
import { updateRule } from '../../../../src/zones/rules/update-rule.ts';
import { createZone } from '../../../../src/zones/zone-changes/create-zone.ts';
import { deleteZone } from '../../../../src/zones/zone-changes/delete-zone.ts';
import { concernedOrganization } from '../../../../src/zones/zones/concerned-organization.ts';
import { aMember, anOrganization, callerOf, changeOrganization } from '../../../support/organizations.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aLogin, aNewUser, aRegistration, aSession, aUser, changeUser, noClient } from '../../../support/people.ts';
import { aRuleDraft, configurationRulesOf } from '../../../support/rules.ts';
import { auditActionsIn, auditEntries, entriesDuring, lastMail, noticesIn } from '../../../support/traces.ts';
import { aWorld, everythingIn, type World } from '../../../support/world.ts';
import { anOrganizationWithZone, aZoneDraft } from '../../../support/zones.ts';

const page = { page: 1, itemsPerPage: 100 };
const client = { network: '192.0.2.1', userAgent: 'Browser/1.0' };
const filterOf = (organization: OrganizationId, given: Partial<AuditFilter> = {}): AuditFilter => ({
  organization,
  actions: [],
  actor: undefined,
  since: undefined,
  until: undefined,
  ...given,
});
const actionsDuring = async (world: World, work: Parameters<typeof entriesDuring>[1]): Promise<AuditAction[]> =>
  (await entriesDuring(world, work)).map(({ action }) => action);

describe('the audit log of sign-ins', () => {
  it('records registration and verification, with the new account as the actor', async () => {
    const world = aWorld();
    const { id } = await valueOf(register(world)(aRegistration(), client));
    await valueOf(verifyEmail(world)(lastMail(world).token, client));
    expect(auditEntries(world).map(({ action, actor, client: from }) => ({ action, actor, from }))).to.deep.equal([
      { action: 'account.registered', actor: id, from: client },
      { action: 'account.emailVerified', actor: id, from: client },
    ]);
  });

  it('records the session that was opened, refreshed and ended', async () => {
    const world = aWorld();
    const id = await aUser(world);
    const { refreshToken } = await aSession(world);
    const next = await valueOf(refreshSession(world)(refreshToken, client));
    await valueOf(logOut(world)(next, client));
    const [session] = [...everythingIn(world).sessions.keys()];
    const entries = auditEntries(world).slice(-3);
    expect(entries.map(({ action, actor, objects }) => ({ action, actor, objects }))).to.deep.equal([
      { action: 'session.opened', actor: id, objects: { session } },
      { action: 'session.refreshed', actor: id, objects: { session } },
      { action: 'session.ended', actor: id, objects: { session } },
    ]);
  });

  it('records failed sign-ins for existing, unknown and inactive accounts', async () => {
    const world = aWorld();
    const id = await aUser(world);
    const attempt = (changes: Readonly<Record<string, string>>) => logIn(world)(aLogin(changes), client);
    const entries = await entriesDuring(world, async () => {
      await attempt({ password: 'Wrong-1' });
      await attempt({ email: 'nobody@example.org' });
      changeUser(world, id, { active: false });
      await attempt({});
    });
    expect(entries.map(({ action, actor, client: from }) => ({ action, actor, from }))).to.deep.equal([
      { action: 'login.failed', actor: id, from: client },
      { action: 'login.failed', actor: undefined, from: client },
      { action: 'login.inactive', actor: id, from: client },
    ]);
    expect(JSON.stringify(entries)).to.not.include('Wrong-1').and.to.not.include('nobody@example.org');
  });

  it('records the reuse of a refresh token although the call is refused, and notifies the user by mail', async () => {
    const world = aWorld();
    await aUser(world);
    const { refreshToken } = await aSession(world);
    await valueOf(refreshSession(world)(refreshToken, noClient));
    const actions = await actionsDuring(world, () => refreshSession(world)(refreshToken, noClient));
    expect(actions).to.deep.equal(['session.refreshTokenReused']);
    expect(noticesIn(world)).to.deep.equal(['sessions-ended-after-reuse ada@example.org']);
  });

  it('contains neither tokens nor passwords', async () => {
    const world = aWorld();
    await aNewUser(world);
    const { token } = lastMail(world);
    await valueOf(verifyEmail(world)(token, noClient));
    const tokens = await aSession(world);
    const everything = JSON.stringify(auditEntries(world));
    for (const secret of [token, tokens.refreshToken, 'Correct-1']) expect(everything).to.not.include(secret);
  });
});

describe('the audit log of an organization', () => {
  it('records every change of zones and rules, with its credential', async () => {
    const world = aWorld();
    const { organization, owner, zone } = await anOrganizationWithZone(world);
    const { rule } = await valueOf(createRule(world)(owner, configurationRulesOf(zone), aRuleDraft('one')));
    await valueOf(updateRule(world)(owner, configurationRulesOf(zone), rule.id, { name: 'two' }, undefined));
    await valueOf(deleteRule(world)(owner, configurationRulesOf(zone), rule.id, undefined));
    await valueOf(deleteZone(world)(owner, zone.id, undefined));
    const { items, totalItems } = await valueOf(readAuditLog(world)(owner, filterOf(organization), page));
    expect(totalItems).to.equal(5);
    expect(items.map(({ action }) => action)).to.deep.equal([
      'zone.deleted',
      'configurationRule.deleted',
      'configurationRule.changed',
      'configurationRule.created',
      'zone.created',
    ]);
    expect(items[0]?.objects).to.deep.equal({ zone: zone.id, name: zone.name, tag: zone.tag });
    for (const { actor, credential, objects } of items) {
      expect([actor, credential, objects['zone']]).to.deep.equal([owner.userId, owner.credential.id, zone.id]);
    }
  });

  it('is written in the unit of the change, and rolled back with it', async () => {
    const world = aWorld();
    const organization = anOrganization(world);
    const owner = aMember(world, organization, 'owner');
    const before = everythingIn(world);
    const unitOfWork: DomainStorage = {
      view: (read) => world.unitOfWork.view(read),
      single: (work) => world.unitOfWork.single(work),
      session: (credential) => world.unitOfWork.session(credential),
      run: (work) =>
        world.unitOfWork.run((repositories) => work(repositories).andThen(() => errAsync('undo' as never))),
    };
    await createZone({ ...world, unitOfWork })(owner, aZoneDraft());
    expect(everythingIn(world)).to.deep.equal(before);
    expect(auditEntries(world)).to.deep.equal([]);
  });

  it('rolls back a change that cannot be recorded', async () => {
    const world = aWorld();
    const organization = anOrganization(world);
    const owner = aMember(world, organization, 'owner');
    const before = everythingIn(world);
    const unitOfWork: DomainStorage = {
      view: (read) => world.unitOfWork.view(read),
      single: (work) => world.unitOfWork.single(work),
      session: (credential) => world.unitOfWork.session(credential),
      run: (work) =>
        world.unitOfWork.run((repositories) => {
          const record = () => {
            throw new Error('full');
          };
          return work({ ...repositories, auditLog: { ...repositories.auditLog, record } });
        }),
    };
    const failure = await createZone({ ...world, unitOfWork })(owner, aZoneDraft()).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(failure).to.be.an('error').with.property('message', 'full');
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('has no entry for refused changes', async () => {
    const world = aWorld();
    const { organization, owner, zone } = await anOrganizationWithZone(world);
    const viewer = aMember(world, organization, 'viewer');
    const actions = await actionsDuring(world, async () => {
      await deleteZone(world)(viewer, zone.id, undefined);
      await createZone(world)(owner, aZoneDraft());
      await createRule(world)(viewer, configurationRulesOf(zone), aRuleDraft('one'));
    });
    expect(actions).to.deep.equal([]);
  });
});

describe('recordRefusal', () => {
  it('records who was refused, in a unit of its own', async () => {
    const world = aWorld();
    const caller = callerOf(world, await aUser(world));
    expect(await recordRefusal(world)({ ...caller, client }, client, 'access.denied', { route: 'a' })).to.deep.equal(
      ok(),
    );
    expect(await recordRefusal(world)(undefined, client, 'access.limited', { route: 'b' })).to.deep.equal(ok());
    await recordRefusal(world)(caller.userId, client, 'access.limited', { route: 'c' });
    expect(
      auditEntries(world)
        .slice(-3)
        .map(({ id: _, at: __, ...entry }) => entry),
    ).to.deep.equal([
      {
        action: 'access.denied',
        actor: caller.userId,
        credential: caller.credential.id,
        organization: undefined,
        objects: { route: 'a' },
        client,
      },
      {
        action: 'access.limited',
        actor: undefined,
        credential: undefined,
        organization: undefined,
        objects: { route: 'b' },
        client,
      },
      {
        action: 'access.limited',
        actor: caller.userId,
        credential: undefined,
        organization: undefined,
        objects: { route: 'c' },
        client,
      },
    ]);
    expect(auditActionsIn(world)).to.include('access.denied');
  });
});

describe('concernedOrganization', () => {
  it('is the one that a request names or that its zone belongs to, with whether the caller is a member', async () => {
    const world = aWorld();
    const { owner, zone } = await anOrganizationWithZone(world);
    const stranger = callerOf(world, await aUser(world));
    const { organizationId } = zone;
    const concern = concernedOrganization(world);
    for (const [caller, isMember] of [
      [owner, true],
      [stranger, false],
    ] as const) {
      for (const named of [{ organization: organizationId }, { zone: zone.id }]) {
        expect(await concern(caller, named)).to.deep.equal(ok({ organization: organizationId, isMember }));
      }
      for (const named of [{}, { organization: OrganizationIds.parse(4711) }, { zone: ZoneId.parse(caller.userId) }]) {
        expect(await concern(caller, named)).to.deep.equal(ok(undefined));
      }
    }
  });
});

describe('readAuditLog', () => {
  it('lists only the events of that organization', async () => {
    const world = aWorld();
    const [one, other] = [await anOrganizationWithZone(world), await anOrganizationWithZone(world)];
    await aUser(world);
    const { items } = await valueOf(readAuditLog(world)(one.owner, filterOf(one.organization), page));
    expect(items.map(({ objects }) => objects)).to.deep.equal([{ zone: one.zone.id }]);
    const foreign = await readAuditLog(world)(one.owner, filterOf(other.organization), page);
    expect(foreign).to.deep.equal(err(permissionDenied('organization.readAuditLog')));
  });

  it('is refused without a required second factor, and fails if the organization does not exist', async () => {
    const world = aWorld();
    const { organization, owner } = await anOrganizationWithZone(world);
    const missing = OrganizationIds.parse(2_000_000_000);
    expect(await readAuditLog(world)(owner, filterOf(missing), page)).to.deep.equal(err(organizationNotFound()));
    changeOrganization(world, organization, { enforceTwoFactor: true });
    const outcome = await readAuditLog(world)(callerOf(world, owner.userId), filterOf(organization), page);
    expect(outcome).to.deep.equal(err(twoFactorRequired(organization)));
  });
});
