import { aMember, anApiToken, anotherSession, password, unique } from '../support/arrange.ts';
import { always, inTurn, type Recipe, type Recipes, several } from './recipe.ts';

const token = 'x'.repeat(43);
const code = '123456';
/** Objects that a flood deletes. */
const supply = 20;

const organization = '/api/organizations/:id';
const servers = `${organization}/origin-servers`;
const balancers = `${organization}/load-balancers`;

const accountRecipes: Recipes = {
  'POST /api/auth/login': always(({ attacker: { user } }) => ({
    path: '/api/auth/login',
    body: { email: user.email, password },
  })),
  'POST /api/auth/2fa': always(() => ({ path: '/api/auth/2fa', body: { challengeToken: token, code } })),
  'POST /api/auth/refresh': always(() => ({ path: '/api/auth/refresh', body: { refreshToken: token } })),
  'POST /api/auth/logout': always(() => ({ path: '/api/auth/logout', body: { refreshToken: token } })),
  'POST /api/auth/register': () => () => ({
    path: '/api/auth/register',
    body: { email: `flood${unique()}@example.com`, password, firstName: 'Ada', lastName: 'Lovelace' },
  }),
  'POST /api/auth/resend-verification': always(({ attacker: { user } }) => ({
    path: '/api/auth/resend-verification',
    body: { email: user.email },
  })),
  'POST /api/auth/forgot-password': always(({ attacker: { user } }) => ({
    path: '/api/auth/forgot-password',
    body: { email: user.email },
  })),
  'POST /api/auth/reset-password': always(() => ({ path: '/api/auth/reset-password', body: { token, password } })),
  'POST /api/auth/verify-email': always(() => ({ path: '/api/auth/verify-email', body: { token } })),
  'POST /api/auth/confirm': always(() => ({ path: '/api/auth/confirm', body: { password } })),
  'POST /api/users/me/email': () => () => ({
    path: '/api/users/me/email',
    body: { email: `flood${unique()}@example.com` },
  }),
  'POST /api/auth/confirm-email': always(() => ({ path: '/api/auth/confirm-email', body: { token } })),
  'POST /api/auth/undo-email': always(() => ({ path: '/api/auth/undo-email', body: { token } })),
  'GET /api/users/me/audit-log': always(() => ({ path: '/api/users/me/audit-log?itemsPerPage=100' })),
  'GET /api/users/me': always(() => ({ path: '/api/users/me' })),
  'PATCH /api/users/me': () => (number) => ({ path: '/api/users/me', body: { firstName: `Ada ${number}` } }),
  'POST /api/users/me/password': always(() => ({
    path: '/api/users/me/password',
    body: { currentPassword: 'Another-Horse-7', newPassword: password },
  })),
  'GET /api/users/:id': always(({ organization: { owner } }) => ({ path: `/api/users/${owner.id}` })),
  'GET /api/users/me/sessions': always(() => ({ path: '/api/users/me/sessions?itemsPerPage=100' })),
  'DELETE /api/users/me/sessions': always(() => ({ path: '/api/users/me/sessions' })),
  'DELETE /api/users/me/sessions/:id': async ({ attacker: { user }, workshop }) => {
    const sessions = await several(5, () => anotherSession(workshop, user));
    return (number) => ({ path: `/api/users/me/sessions/${inTurn(sessions, number)}` });
  },
  'POST /api/2fa/setup': always(() => ({ path: '/api/2fa/setup' })),
  'POST /api/2fa/confirm': always(() => ({ path: '/api/2fa/confirm', body: { code } })),
  'POST /api/2fa/disable': always(() => ({ path: '/api/2fa/disable', body: { code } })),
  'POST /api/2fa/recovery-codes': always(() => ({ path: '/api/2fa/recovery-codes', body: { code } })),
  'GET /api/api-tokens': async ({ attacker: { user } }) => {
    await several(supply, () => anApiToken(user));
    return () => ({ path: '/api/api-tokens?itemsPerPage=100' });
  },
  'POST /api/api-tokens': () => (number) => ({ path: '/api/api-tokens', body: { name: `Token ${number}` } }),
  'DELETE /api/api-tokens/:id': async ({ attacker: { user } }) => {
    const tokens = await several(supply, async () => (await anApiToken(user)).apiToken.id);
    return (number) => ({ path: `/api/api-tokens/${inTurn(tokens, number)}` });
  },
};

/** The same request about the organization. */
const about = (rest = '', body?: unknown): Recipe =>
  always(({ organization: { owner } }) => ({
    path: `/api/organizations/${owner.organization}${rest}`,
    ...(body === undefined ? {} : { body }),
  }));

const organizationRecipes: Recipes = {
  'GET /api/organizations': always(() => ({ path: '/api/organizations?itemsPerPage=100' })),
  'POST /api/organizations': () => (number) => ({ path: '/api/organizations', body: { name: `Flood ${number}` } }),
  [`GET ${organization}`]: about(),
  [`PATCH ${organization}`]:
    ({ organization: { owner } }) =>
    (number) => ({ path: `/api/organizations/${owner.organization}`, body: { name: `Flood ${number}` } }),
  [`DELETE ${organization}`]: about(),
  [`GET ${organization}/members`]: about('/members?itemsPerPage=100'),
  [`GET ${organization}/members/:user`]: always(({ organization: { owner } }) => ({
    path: `/api/organizations/${owner.organization}/members/${owner.id}`,
  })),
  [`PATCH ${organization}/members/:user`]: async ({ organization: { owner }, workshop }) => {
    const { id } = await aMember(workshop, owner, 'viewer');
    return (number) => ({
      path: `/api/organizations/${owner.organization}/members/${id}`,
      body: { role: inTurn(['editor', 'viewer'], number) },
    });
  },
  [`DELETE ${organization}/members/:user`]: async ({ organization: { owner }, workshop }) => {
    const members = await several(10, () => aMember(workshop, owner, 'viewer'));
    return (number) => ({
      path: `/api/organizations/${owner.organization}/members/${inTurn(members, number).id}`,
    });
  },
  [`GET ${organization}/audit-log`]:
    ({ organization: { owner } }) =>
    (number) => ({
      path: `/api/organizations/${owner.organization}/audit-log?itemsPerPage=100&page=${1 + (number % 100)}`,
    }),
};

const invitationRecipes: Recipes = {
  [`GET ${organization}/invitations`]: about('/invitations?itemsPerPage=100'),
  [`POST ${organization}/invitations`]:
    ({ organization: { owner } }) =>
    (number) => ({
      path: `/api/organizations/${owner.organization}/invitations`,
      body: { email: `invited${number}@example.com`, role: 'viewer' },
    }),
  [`GET ${organization}/invitations/:invitation`]: eachInvitation(),
  [`DELETE ${organization}/invitations/:invitation`]: eachInvitation(),
  [`POST ${organization}/invitations/:invitation/resend`]: eachInvitation('/resend'),
  'POST /api/invitations/accept': always(() => ({ path: '/api/invitations/accept', body: { token } })),
};

const domains = `${organization}/domains`;

/** About another domain with each request. */
const eachDomain =
  (rest = ''): Recipe =>
  ({ organization: { owner, domains: ids } }) =>
  (number) => ({ path: `/api/organizations/${owner.organization}/domains/${inTurn(ids, number)}${rest}` });

const domainRecipes: Recipes = {
  [`GET ${domains}`]: about('/domains?itemsPerPage=100'),
  [`POST ${domains}`]:
    ({ organization: { owner } }) =>
    (number) => ({ path: `/api/organizations/${owner.organization}/domains`, body: { name: `d${number}.example` } }),
  [`GET ${domains}/:domain`]: eachDomain(),
  [`POST ${domains}/:domain/verify`]: eachDomain('/verify'),
  [`DELETE ${domains}/:domain`]: eachDomain(),
};

/** About another invitation with each request. */
function eachInvitation(rest = ''): Recipe {
  return ({ organization: { owner, invitations } }) =>
    (number) => ({
      path: `/api/organizations/${owner.organization}/invitations/${inTurn(invitations, number)}${rest}`,
    });
}

/** About another backend with each request; what is deleted is not read later. */
const eachBackend =
  (list: 'originServers' | 'loadBalancers', segment: string, [from, to]: readonly [number, number?]) =>
  (rest = '', body?: (number: number) => unknown): Recipe =>
  ({ organization }) =>
  (number) => ({
    path: `/api/organizations/${organization.owner.organization}/${segment}/${inTurn(organization[list].slice(from, to), number)}${rest}`,
    ...(body === undefined ? {} : { body: body(number) }),
  });

const eachServer = eachBackend('originServers', 'origin-servers', [0, 50]);
const eachBalancer = eachBackend('loadBalancers', 'load-balancers', [0, 10]);

const backendRecipes: Recipes = {
  [`GET ${servers}`]: about('/origin-servers?itemsPerPage=100'),
  [`POST ${servers}`]:
    ({ organization: { owner } }) =>
    (number) => ({
      path: `/api/organizations/${owner.organization}/origin-servers`,
      body: { name: `Flood ${number}`, protocol: 'https', address: `flood-${number}.example.net` },
    }),
  [`GET ${servers}/:originServer`]: eachServer(),
  [`PATCH ${servers}/:originServer`]: eachServer('', (number) => ({ name: `Renamed ${number}` })),
  [`DELETE ${servers}/:originServer`]: eachBackend('originServers', 'origin-servers', [50])(),
  [`GET ${servers}/:originServer/revisions`]: eachServer('/revisions?itemsPerPage=100'),
  [`GET ${servers}/:originServer/revisions/:number`]: eachServer('/revisions/1'),
  [`GET ${balancers}`]: about('/load-balancers?itemsPerPage=100'),
  [`POST ${balancers}`]:
    ({ organization: { owner, originServers } }) =>
    (number) => ({
      path: `/api/organizations/${owner.organization}/load-balancers`,
      body: { name: `Flood ${number}`, origins: originServers.slice(0, 32).map((originServer) => ({ originServer })) },
    }),
  [`GET ${balancers}/:loadBalancer`]: eachBalancer(),
  [`PATCH ${balancers}/:loadBalancer`]: eachBalancer('', (number) => ({ name: `Renamed ${number}` })),
  [`DELETE ${balancers}/:loadBalancer`]: eachBackend('loadBalancers', 'load-balancers', [10])(),
  [`GET ${balancers}/:loadBalancer/revisions`]: eachBalancer('/revisions?itemsPerPage=100'),
  [`GET ${balancers}/:loadBalancer/revisions/:number`]: eachBalancer('/revisions/1'),
};

/** Recipes of the routes of accounts and organizations. */
export const recipesOutsideZones: Recipes = {
  ...accountRecipes,
  ...organizationRecipes,
  ...invitationRecipes,
  ...domainRecipes,
  ...backendRecipes,
};
