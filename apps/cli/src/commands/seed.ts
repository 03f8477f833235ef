import { randomBytes } from 'node:crypto';
import {
  actFor,
  administration,
  type Caller,
  NewUser,
  OrganizationName,
  parse,
  parseWantedRules,
  type UseCases,
  type UserId,
  useCases,
  ZoneDraft,
} from '@zonewright/core';
import { accepted, CommandFailure, exitCodes } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { counted, type Report } from '../report.ts';
import type { Terminal } from '../terminal.ts';

/** One worker per database connection. */
const parallel = 4;

/** More than a demonstration or a load test needs. */
const maxZones = 100_000;

/**
 * Creates demo data: a user with organizations full of zones, each with settings and three kinds of rules. The login is
 * printed before the first zone is created, so that it is known even if the command is interrupted.
 */
export async function seed(installation: Installation, count: number, terminal: Terminal): Promise<Report> {
  if (!Number.isInteger(count) || count < 1 || count > maxZones) {
    throw new CommandFailure(
      [`The number of zones should be a whole number from 1 to ${maxZones}.`],
      exitCodes.misused,
    );
  }
  if (installation.config.environment === 'production') {
    await terminal.confirm(`Create a demonstration user with ${counted(count, 'zone')} in production?`);
  }
  const { email, password, id } = await createDemoUser(installation);
  terminal.explain(`Sign in as ${email} with ${password}`);
  const progress = terminal.progress('zones', count);
  const organizations: number[] = [];
  for (let first = 0; first < count; ) {
    const name = OrganizationName.parse(`Demo ${organizations.length + 1}`);
    const filled = await fillOrganization(installation, { owner: id, name, first, count: count - first }, () =>
      progress.advance(),
    );
    organizations.push(filled.organization);
    first += filled.zones;
  }
  progress.end();
  return {
    json: { email, password, organizations, zones: count },
    lines: [`Created ${counted(count, 'zone')} in ${counted(organizations.length, 'organization')}.`],
  };
}

async function createDemoUser({ ports, operator }: Installation) {
  const email = `demo-${randomBytes(4).toString('hex')}@example.com`;
  const password = `Demo-${randomBytes(9).toString('base64url')}-1`;
  const user = parse(NewUser, { email, password, firstName: 'Demo', lastName: 'User' });
  const { id } = await accepted(user.asyncAndThen((known) => administration(ports).createUser(operator, known)));
  return { email, password, id };
}

/** An organization to create, and the zones that remain to be created. */
interface DemoOrganization {
  readonly owner: UserId;
  readonly name: OrganizationName;
  /** The number of zones before it. */
  readonly first: number;
  readonly count: number;
}

/** Creates an organization with as many of the zones as its limit allows. */
async function fillOrganization(
  installation: Installation,
  { owner, name, first, count }: DemoOrganization,
  onZone: () => void,
): Promise<{ readonly organization: number; readonly zones: number }> {
  const { ports, operator, unitOfWork } = installation;
  const { id, limits } = await accepted(unitOfWork.run((all) => all.organizations.create({ name, owner })));
  const caller = await accepted(actFor(ports)(operator, owner, id));
  const backend = await addBackend(installation, caller, id);
  const zones = Math.min(count, Math.max(1, limits.zones));
  const numbers = Array.from({ length: zones }, (_, index) => first + index + 1);
  const add = async (): Promise<void> => {
    for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
      await addZone(installation, caller, { number, organization: id, backend });
      onZone();
    }
  };
  await Promise.all(Array.from({ length: parallel }, add));
  return { organization: id, zones };
}

type Organization = Parameters<UseCases['createOriginServer']>[1];

async function addBackend({ ports }: Installation, caller: Caller, organization: Organization): Promise<string> {
  const server = { name: 'Web', protocol: 'https', address: 'web.example.net' };
  return (await accepted(useCases(ports).createOriginServer(caller, organization, server))).id;
}

/** What varies between demo zones. */
interface DemoZone {
  readonly number: number;
  readonly organization: Organization;
  readonly backend: string;
}

const tags = ['prod', 'stage', 'dev'] as const;

async function addZone(
  { ports }: Installation,
  caller: Caller,
  { number, organization, backend }: DemoZone,
): Promise<void> {
  const draft = parse(ZoneDraft, {
    name: `shop-${number}.example.com`,
    tag: tags[number % tags.length],
    organization,
    zone_settings: {
      defaultBackend: { type: 'origin_server', id: backend },
      cachingDefaultTtl: 60 * (number % 10),
      minifyHtml: number % 2 === 0,
    },
  });
  const { id: zone } = await accepted(
    draft.asyncAndThen((validDraft) => useCases(ports).createZone(caller, validDraft)),
  );
  for (const kind of ['configurationRule', 'rewriteRule', 'accessRule'] as const) {
    const wanted = parseWantedRules(kind, rulesOf(number)[kind]);
    await accepted(
      wanted.asyncAndThen((rules) => useCases(ports).replaceRules(caller, { zone, kind }, rules, undefined)),
    );
  }
}

const onPath = (value: string) => ({ logic: 'and', conditions: [{ field: 'path', operator: 'starts_with', value }] });

const rulesOf = (number: number) => ({
  configurationRule: [
    { name: 'Images', conditions: onPath('/images/'), settingsOverrides: { cachingDefaultTtl: 3600 } },
    {
      name: 'Checkout',
      conditions: onPath('/checkout/'),
      settingsOverrides: { cachingDefaultTtl: 0 },
      stopOnMatch: true,
    },
  ],
  rewriteRule: [{ name: 'Blog', operator: 'equals', sourcePattern: '/blog', target: `/posts/${number}` }],
  accessRule: [{ name: 'Admin', action: 'block', conditions: onPath('/admin/') }],
});
