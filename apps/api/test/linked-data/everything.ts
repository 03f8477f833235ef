import { expect } from 'chai';
import {
  aDeletedZone,
  aDomain,
  aLoadBalancer,
  aMember,
  anApiToken,
  anInvitation,
  anOriginServer,
  anotherSession,
  aRule,
  aZone,
  type Place,
  someConditions,
  type User,
  unique,
} from '../support/arrange.ts';
import { addPasskey } from '../support/passkeys.ts';
import { aPromotion, promotionsOf } from '../support/zone-contents.ts';

/** Addresses of an item of every readable type and of every list, by type. */
export interface Everything {
  readonly items: Readonly<Record<string, string>>;
  readonly lists: Readonly<Record<string, string>>;
}

/** Request bodies of rule kinds without a builder of their own. */
const rules = {
  'rewrite-rules': () => ({
    operator: 'equals',
    sourcePattern: `/old-${unique()}`,
    target: '/new',
    type: 'redirect',
    statusCode: 308,
  }),
  'access-rules': () => ({ conditions: someConditions(), action: 'skip', skipTargets: ['waf', 'scenarios'] }),
  'security/scenarios': () => ({ filter: someConditions(), capacity: 5, leakSpeedSeconds: 0.5 }),
} as const;

/** Creates one of everything the user can reach, with as many members as possible. */
export async function everything(service: Place, user: User): Promise<Everything> {
  const { id } = await aZone(user, { zone_settings: { headersRequestSet: [{ name: 'X-Own', value: 'yes' }] } });
  const zone = `/api/zones/${id}`;
  const made = async (path: string, body: unknown) => {
    const reply = await user.post(path, body, { accept: 'application/json' });
    expect(reply.status, reply.text).to.equal(201);
    return `${path}/${(reply.json() as { readonly id: string }).id}`;
  };
  const ruleOf = (path: keyof typeof rules) => made(`${zone}/${path}`, { name: `rule-${unique()}`, ...rules[path]() });
  const configured = await aRule(user, { id } as Parameters<typeof aRule>[1], {
    settingsOverrides: { minifyHtml: true },
  });
  const organization = `/api/organizations/${user.organization}`;
  const member = await aMember(service, user, 'viewer');
  await anApiToken(user, { organizations: [organization], expiresAt: '2030-01-01T00:00:00.000Z' });
  await anotherSession(service, user);
  await addPasskey(user);
  return {
    items: {
      Zone: zone,
      ConfigurationRule: `${zone}/configuration-rules/${configured.id}`,
      RewriteRule: await ruleOf('rewrite-rules'),
      AccessRule: await ruleOf('access-rules'),
      SecurityScenario: await ruleOf('security/scenarios'),
      BasicAuthUser: await made(`${zone}/basic-auth-users`, {
        username: 'ops',
        password: 'long enough',
        comment: 'us',
      }),
      ChangeSet: await made(`${zone}/change-sets`, {
        title: 'Minify',
        operations: [{ op: 'settings', patch: { minifyHtml: true } }],
      }),
      Promotion: `${promotionsOf({ id })}/${(await aPromotion(user, { id })).id}`,
      Revision: `${zone}/revisions/2`,
      RevisionDiff: `${zone}/revisions/2/diff/4`,
      Evaluation: `${zone}/evaluation?url=https://shop.example.com/a`,
      Findings: `${zone}/findings`,
      BehaviourDiff: `${zone}/revisions/1/behaviour/2`,
      User: '/api/users/me',
      Organization: organization,
      OrganizationMember: `${organization}/members/${member.id}`,
      OriginServer: `${organization}/origin-servers/${(await anOriginServer(user, { requestHostname: 'shop.example.com' })).id}`,
      LoadBalancer: `${organization}/load-balancers/${(await aLoadBalancer(user)).id}`,
      OriginServerRevision: `${organization}/origin-servers/${(await anOriginServer(user)).id}/revisions/1`,
      LoadBalancerRevision: `${organization}/load-balancers/${(await aLoadBalancer(user)).id}/revisions/1`,
      DeletedZone: `${organization}/deleted-zones/${(await aDeletedZone(user)).id}`,
      Domain: `${organization}/domains/${(await aDomain(user, 'bücher.example')).id}`,
      Invitation: `${organization}/invitations/${(await anInvitation(user)).id}`,
    },
    lists: {
      Zone: '/api/zones?q=zone&order%5Bname%5D=desc',
      ConfigurationRule: `${zone}/configuration-rules`,
      RewriteRule: `${zone}/rewrite-rules`,
      AccessRule: `${zone}/access-rules`,
      SecurityScenario: `${zone}/security/scenarios`,
      BasicAuthUser: `${zone}/basic-auth-users`,
      ChangeSet: `${zone}/change-sets?order%5BcreatedAt%5D=asc`,
      Promotion: promotionsOf({ id }),
      Revision: `${zone}/revisions?itemsPerPage=1&page=2`,
      ApiToken: '/api/api-tokens',
      AccountEvent: '/api/users/me/audit-log',
      LinkedIdentity: '/api/users/me/providers',
      SignInProvider: '/api/auth/providers',
      Passkey: '/api/users/me/passkeys',
      Session: '/api/users/me/sessions',
      Organization: '/api/organizations',
      OrganizationMember: `${organization}/members`,
      Domain: `${organization}/domains`,
      Invitation: `${organization}/invitations`,
      OriginServer: `${organization}/origin-servers`,
      LoadBalancer: `${organization}/load-balancers`,
      OriginServerRevision: `${organization}/origin-servers/${(await anOriginServer(user)).id}/revisions`,
      LoadBalancerRevision: `${organization}/load-balancers/${(await aLoadBalancer(user)).id}/revisions`,
      DeletedZone: `${organization}/deleted-zones?q=zone`,
      AuditEntry: `${organization}/audit-log`,
    },
  };
}
