import { engineMutations } from './engine-mutations.mjs';
import { of } from './of.mjs';
import { storageMutations } from './storage-mutations.mjs';

const useCases = 'packages/core/test/use-cases';
const rewriteRules = [`${useCases}/zones/rules/rewrite-rules.test.ts`];
const accessRules = [`${useCases}/zones/rules/access-rules.test.ts`];
const scenarios = [`${useCases}/zones/rules/security-scenarios.test.ts`];
const basicAuth = [
  `${useCases}/zones/basic-auth-users/create-basic-auth-user.test.ts`,
  `${useCases}/zones/basic-auth-users/update-basic-auth-user.test.ts`,
];
const listZones = [`${useCases}/zones/zones/list-zones.test.ts`];
const accessAndVersions = [`${useCases}/zones/access-and-versions.test.ts`];
const usageLimits = [`${useCases}/usage-limits.test.ts`];
const access = ['apps/api/test/access.test.ts'];
const api = 'apps/api/test';
const everyRoute = [`${api}/every-route.test.ts`];
const ifMatch = [`${api}/openapi/if-match.test.ts`];
const permissions = [`${api}/authorization.test.ts`];
const ofZones = [`${api}/zones.test.ts`, `${api}/zone-update.test.ts`];

export const mutations = [
  ...of('packages/core/src/zones/rule-kinds/rewrite-rule.ts', rewriteRules, [
    ["['equals', 'starts_with', 'regex', 'regex_ci']", "['equals', 'starts_with', 'regex', 'regex_ci', 'contains']"],
    ['[301, 302, 303, 307, 308]', '[301, 302, 303, 304, 307, 308]'],
    ['[301, 302, 303, 307, 308]', '[301, 302, 303, 307]'],
    ['maxSource = 1024', 'maxSource = 1025'],
    ['maxSource = 1024', 'maxSource = 1023'],
    ['maxTarget = 2048', 'maxTarget = 2049'],
    ['maxTarget = 2048', 'maxTarget = 2047'],
    ['/^[\\x21-\\x7e]+$/', '/^[\\x20-\\x7e]+$/'],
    ['/^[\\x21-\\x7e]+$/', '/^[\\x21-\\xff]+$/'],
    ['...lengthUpTo(maximum, ({ length }) => length),', ''],
    ["default('rewrite')", "default('redirect')"],
    ['preserveQueryString: z.boolean().default(true)', 'preserveQueryString: z.boolean().default(false)'],
    ['statusCode: statusCode ?? defaultStatus', 'statusCode'],
    ['const defaultStatus = 302', 'const defaultStatus = 301'],
    ["operator === 'regex' || operator === 'regex_ci'", "operator === 'regex'"],
    ["if (!source.startsWith('/')) return [noPath];", ''],
    ['/[?#]/.test(source)', '/[?]/.test(source)'],
    ['/[?#]/.test(source)', '/[#]/.test(source)'],
    ['!broken.has(each.member)', 'true'],
    ['captureGroups: 9, states: 0', 'captureGroups: 0, states: 0'],
    ['`${operator} ${canonicalSource(operator, sourcePattern)}`', '`${canonicalSource(operator, sourcePattern)}`'],
    ["patch['type'] === 'rewrite' || patch['type'] === null", "patch['type'] === 'rewrite'"],
  ]),
  ...of('packages/core/src/zones/rule-kinds/rewrite-target.ts', rewriteRules, [
    ['[A-Za-z0-9._-]+(?::', '[A-Za-z0-9._@-]+(?::'],
    ['/^\\/(?![/\\\\])/', '/^\\/(?![/])/'],
    ['/^\\/(?![/\\\\])/', '/^\\/(?![\\\\])/'],
    ['/\\$[1-9]|\\\\/', '/\\$[1-9]/'],
    ['/%(?![0-9A-Fa-f]{2})/', '/%(?![0-9A-Fa-f]{1})/'],
    ["!redirects && target.includes('#')", 'false'],
    ['redirects || malformed.length > 0 ? []', 'true ? []'],
    ["sign !== '$' && ", ''],
    ['/^[1-9]$/.test(sign) && Number(sign) <= groups', '/^[0-9]$/.test(sign) && Number(sign) <= groups'],
    ['Number(sign) <= groups', 'Number(sign) <= groups + 1'],
    ['repeated.has(group)', 'false'],
    ['repeatsEmptyText(pattern) ?', 'false ?'],
  ]),
  ...of('packages/core/src/zones/rule-kinds/access-rule.ts', accessRules, [
    ["'challenge', 'skip'] as const", "'challenge', 'skip', 'log'] as const"],
    ["'underAttack', 'ipLists'] as const", "'underAttack', 'ipLists', 'cache'] as const"],
    ['maxItems: skipTargets.length', 'maxItems: 1'],
    ["action !== 'skip' || targets.length > 0", 'true'],
    ["action === 'skip' || targets.length === 0", 'true'],
    ["action === 'skip' || targets.length === 0", "action === 'skip' || action === 'allow' || targets.length === 0"],
    ['stopOnMatch: z.boolean().default(false)', 'stopOnMatch: z.boolean().default(true)'],
    ['conditions: Conditions,', 'conditions: Conditions.optional(),'],
  ]),
  ...of('packages/core/src/zones/rule-kinds/security-scenario.ts', scenarios, [
    ['name.length <= 63', 'name.length <= 64'],
    ['name.length <= 63', 'name.length <= 62'],
    ['/^[a-z0-9][a-z0-9-]*$/', '/^[a-z0-9-]*$/'],
    ['/^[a-z0-9][a-z0-9-]*$/', '/^[a-z0-9][a-z0-9_-]*$/'],
    ['/^[a-z0-9][a-z0-9-]*$/', '/^[a-z0-9][a-z0-9-]*$/i'],
    ['seconds >= 0.1', 'seconds > 0.1'],
    ['seconds >= 0.1', 'seconds >= 0.05'],
    ['seconds <= 3600', 'seconds <= 3601'],
    [
      "'ip', 'session', 'asn', 'country', 'host'] as const",
      "'ip', 'session', 'asn', 'country', 'host', 'city'] as const",
    ],
    ["['block', 'challenge', 'log']", "['block', 'challenge', 'log', 'allow']"],
    ['capacity: z.int().min(1).max(10_000)', 'capacity: z.int().min(0).max(10_000)'],
    ['capacity: z.int().min(1).max(10_000)', 'capacity: z.int().min(1).max(10_001)'],
    ['capacity: z.int().min(1)', 'capacity: z.number().min(1)'],
    ['durationSeconds: z.int().min(1)', 'durationSeconds: z.int().min(0)'],
    ['durationSeconds: z.int().min(1).max(secondsPerDay)', 'durationSeconds: z.int().min(1).max(secondsPerDay + 1)'],
    ['blackholeSeconds: z.int().min(0)', 'blackholeSeconds: z.int().min(-1)'],
    ['blackholeSeconds: z.int().min(0).max(secondsPerDay)', 'blackholeSeconds: z.int().min(0).max(secondsPerDay + 1)'],
    ['default(300)', 'default(301)'],
    ['actionTtlSeconds: z.int().min(1)', 'actionTtlSeconds: z.int().min(0)'],
    ['secondsPerWeek = 604_800', 'secondsPerWeek = 604_801'],
    ['used.includes(member) && !isGiven', 'false'],
    ['!used.includes(member) && isGiven', 'false'],
    ["counter: ['capacity', 'durationSeconds']", "counter: ['capacity']"],
    ['filter: ScenarioFilter,', 'filter: ScenarioFilter.optional(),'],
  ]),
  ...of('packages/core/src/kernel/usage-limits/usage-limits.ts', usageLimits, [
    ["basicAuthUsers: { per: 'zone', default: 50", "basicAuthUsers: { per: 'zone', default: 51"],
  ]),
  ...of('packages/core/src/zones/basic-auth/basic-auth-user.ts', basicAuth, [
    ['text({ min: 1, max: 128 })', 'text({ min: 1, max: 129 })'],
    ['text({ min: 1, max: 128 })', 'text({ min: 1, max: 127 })'],
    ["!name.includes(':')", 'true'],
    ['text({ max: 255, multiline: true })', 'text({ max: 256, multiline: true })'],
    ['text({ max: 255, multiline: true })', 'text({ max: 255 })'],
    ['{ min: 8, max: 72 }', '{ min: 7, max: 72 }'],
    ['{ min: 8, max: 72 }', '{ min: 9, max: 72 }'],
    ['{ min: 8, max: 72 }', '{ min: 8, max: 73 }'],
    ['{ min: 8, max: 72 }', '{ min: 8, max: 71 }'],
    [': utf8Bytes(password)', ': password.length'],
    ['password.isWellFormed()', 'true'],
    ['!/\\p{Cc}/u.test(password)', 'true'],
    ['\\$2[aby]\\$([0-9]{2})', '\\$2[abxy]\\$([0-9]{2})'],
    ['[./A-Za-z0-9]{53}$/', '[./A-Za-z0-9]{52,53}$/'],
    ['bcrypt: { min: 10, max: 12 }', 'bcrypt: { min: 9, max: 12 }'],
    ['bcrypt: { min: 10, max: 12 }', 'bcrypt: { min: 10, max: 13 }'],
    ['sha512Crypt: { min: 1000, max: 100_000 }', 'sha512Crypt: { min: 999, max: 100_000 }'],
    ['sha512Crypt: { min: 1000, max: 100_000 }', 'sha512Crypt: { min: 1000, max: 100_001 }'],
    ["/^\\$2[ab]\\$/, '$2y$'", "/^\\$2[b]\\$/, '$2y$'"],
    ['givenOf(draft) >= 1', 'true'],
    ['givenOf(change) <= 1', 'true'],
  ]),
  ...of('packages/core/src/zones/zones/list-zones.ts', listZones, [
    ['organization === undefined || id === organization', 'true'],
    ['zones: zonesOf(caller), tags', 'zones: undefined, tags'],
    ['tags, search, hostname };', 'tags: [], search, hostname };'],
    ['tags, search, hostname };', 'tags, search: undefined, hostname };'],
    ['tags, search, hostname };', 'tags, search, hostname: undefined };'],
    ['zones.list(filter, sort, page)', 'zones.list(filter, [], page)'],
    ['zones.list(filter, sort, page)', 'zones.list(filter, sort, { ...page, page: 1 })'],
    ['.map(({ items, totalItems }) => ({ items: items.map((zone) => zoneAsSeenBy(caller, zone)), totalItems }))', ''],
  ]),
  ...of('apps/api/src/admission/authentication.ts', access, [
    ["presented.kind === 'none'", "presented.kind === 'API token'"],
  ]),
  ...of('apps/api/src/admission/admission.ts', access, [
    ['  protected: ofCallers,', '  protected: [refuseReadOnlyToken],'],
    ['  session: ofCallers,', '  session: [refuseReadOnlyToken],'],
  ]),
  ...of('apps/api/src/admission/authentication.ts', access, [["access === 'session' && ", 'false && ']]),
  ...of(
    'apps/api/src/http/credentials.ts',
    [`${api}/api-tokens.test.ts`],
    [['authorization.length + apiTokens.length > 1', 'authorization.length + apiTokens.length > 2']],
  ),
  ...of('apps/api/src/http/request-head.ts', everyRoute, [
    ['if (mediaType.isErr()) return err(mediaType.error);', ''],
    ["answers.kind === 'nothing' ||", 'true ||'],
  ]),
  ...of(
    'apps/api/src/execution/permitted-body.ts',
    [`${api}/configuration-rule-list.test.ts`],
    [["route.needsPrecondition && ctx.get('If-Match') === ''", 'false']],
  ),
  ...of(
    'apps/api/src/http/body.ts',
    [`${api}/http/request-bodies.test.ts`],
    [['if (!hasBody(ctx)) return err(malformed(`The request needs a body: a JSON ${shape}.`));', '']],
  ),
  ...of('apps/api/src/http/body.ts', everyRoute, [
    ["(shape === 'object or array' && Array.isArray(body))", 'Array.isArray(body)'],
  ]),
  ...Object.entries({
    'zones/basic-auth-users': ['params.id, body', 'params.zoneId, params.id'],
    'organizations/invitations': [
      'resendInvitation(caller, params.id, params.invitation',
      'revokeInvitation(caller, params.id, params.invitation',
    ],
    'organizations/load-balancers': ['params.loadBalancer, body', 'params.id, params.loadBalancer'],
    'organizations/organizations': ['params.id, body', 'deleteOrganization(caller, params.id'],
    'organizations/origin-servers': ['params.originServer, body', 'params.id, params.originServer'],
    'zones/rules': [
      'updateRule(caller, { zone: params.zoneId, kind }, params.id, body',
      'kind }, params.id',
      'moveRule(caller, { zone: params.zoneId, kind }, params.id, body',
    ],
    'zones/security-scenarios': ['params.id, body', 'kind }, params.id'],
    'zones/zones': ['params.id, body', 'rotateBanToken(caller, params.id', 'deleteZone(caller, params.id'],
  }).flatMap(([name, calls]) =>
    of(
      `apps/api/src/routes/${name}.ts`,
      ifMatch,
      calls.map((call) => [`${call}, expected)`, `${call}, undefined)`]),
    ),
  ),
  // Roles define the rights, but each use case must check its own.
  ...Object.entries({
    'rules/create-rule': ['rules.write', 'rules.read'],
    'rules/update-rule': ['rules.write', 'zones.delete'],
    'rules/move-rule': ['rules.write', 'rules.read'],
    'rules/replace-rules': ['rules.write', 'zones.delete'],
    'rules/delete-rule': ['rules.write', 'rules.read'],
    'zone-changes/update-zone': ['zones.write', 'zones.delete'],
    'zone-changes/rotate-ban-token': ['banToken.rotate', 'zones.write'],
    'basic-auth-users/create-basic-auth-user': ['basicAuthUsers.write', 'rules.write'],
    'basic-auth-users/update-basic-auth-user': ['basicAuthUsers.write', 'rules.write'],
    'basic-auth-users/delete-basic-auth-user': ['basicAuthUsers.write', 'rules.write'],
  }).flatMap(([name, [right, other]]) =>
    of(`packages/core/src/zones/${name}.ts`, accessAndVersions, [[`permission: '${right}'`, `permission: '${other}'`]]),
  ),
  ...of('apps/api/src/http/respond.ts', ofZones, [['status === 201 && body', 'status === 200 && body']]),
  ...of('apps/api/src/routes/zones/zones.ts', ofZones, [
    ['revalidated(presentZoneDetails(zone))', '({ body: presentZoneDetails(zone) })'],
    ['body: (body) => ok(zoneBody(body)),', 'body: (body) => ok(body),'],
  ]),
  ...of('apps/api/src/routes/zones/zones.ts', permissions, [
    ["checkZoneAccess(caller, id, 'zones.write')", "checkZoneAccess(caller, id, 'zones.read')"],
  ]),
  ...of('apps/api/src/routes/organizations/origin-servers.ts', permissions, [
    [
      "permitted: ({ caller, params: { id }, useCases }) => useCases.checkOrganizationAccess(caller, id, 'backends.write')",
      "permitted: ({ caller, params: { id }, useCases }) => useCases.checkOrganizationAccess(caller, id, 'backends.read')",
    ],
  ]),
  ...of('apps/api/src/routes/organizations/invitations.ts', permissions, [
    [
      "permitted: ({ caller, params: { id }, useCases }) => useCases.checkOrganizationAccess(caller, id, 'members.manage')",
      "permitted: ({ caller, params: { id }, useCases }) => useCases.checkOrganizationAccess(caller, id, 'members.leave')",
    ],
  ]),
  ...of(
    'packages/core/src/zones/deleted-zones/restore-deleted-zone.ts',
    [`${api}/deleted-zones.test.ts`],
    [['banToken,\n          ...contentsPlan', '...contentsPlan']],
  ),
  ...of(
    'packages/core/src/accounts/passkeys/add-passkey.ts',
    [`${useCases}/accounts/sessions/ended-session.test.ts`],
    [['          yield* credentials.lockBy(userId, caller.credential.id);\n', '']],
  ),
  ...storageMutations,
  ...engineMutations,
];
