import { expect } from 'chai';
import { aDeletedZone, aLoadBalancer, aMember, anOriginServer, aVerifiedUser, type User } from '../support/arrange.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { operations, resolved } from '../support/openapi.ts';
import { type Ids, sendExample } from './sent-examples.ts';

const conditional = operations.filter(({ operation: { parameters } }) =>
  parameters.map(resolved).some(({ name }) => name === 'If-Match'),
);

describe('If-Match, as documented in OpenAPI', function () {
  this.timeout(60_000);
  let service: MemoryService;
  let ada: User;
  /** Ids by list. */
  const ids = new Map<string, string | number>();

  const made = async (list: string, name: string, of: Ids): Promise<void> => {
    const reply = await sendExample(ada, name, of, '*');
    expect(reply.status, reply.text).to.equal(201);
    ids.set(list, (reply.json() as { readonly id: string }).id);
  };

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
    await made('zones', 'POST /api/zones', {});
    const zoneId = ids.get('zones') ?? '';
    for (const list of ['rewrite-rules', 'configuration-rules', 'access-rules', 'scenarios', 'basic-auth-users']) {
      const path = list === 'scenarios' ? 'security/scenarios' : list;
      await made(list, `POST /api/zones/{zoneId}/${path}`, { zoneId });
    }
    await made('change-sets', 'POST /api/zones/{zoneId}/change-sets', { zoneId });
    ids.set('revisions', 1);
    ids.set('organizations', ada.organization);
    ids.set('members', (await aMember(service, ada, 'viewer')).id);
    ids.set('origin-servers', (await anOriginServer(ada)).id);
    ids.set('load-balancers', (await aLoadBalancer(ada)).id);
    ids.set('deleted-zones', (await aDeletedZone(ada)).id);
    await made('domains', 'POST /api/organizations/{id}/domains', { id: ada.organization });
    await made('invitations', 'POST /api/organizations/{id}/invitations', { id: ada.organization });
  });
  after(() => service.close());

  /** The id of an item of the list that precedes the parameter. */
  const idsFor = (name: string): Ids =>
    Object.fromEntries(
      [...name.matchAll(/\/([a-z-]+)\/\{(\w+)\}/g)].map(([, list = '', parameter = '']) => [
        parameter,
        ids.get(list) ?? expect.fail(`nothing is known of ${list}`),
      ]),
    );

  it('is on every write of a readable resource', () => {
    expect(conditional).to.have.length.greaterThan(20);
  });

  /** The entity tag a write refers to: of the item in its path, or of the path before an action. */
  const tagFor = async (name: string): Promise<string> => {
    const ids = idsFor(name);
    const path = name
      .replace(/^\w+ /, '')
      .replace(/\/(?:move|resend|verify|ban-token|rebase|promotions|change-sets\/.*apply|revisions\/.*|restore)$/, '');
    const reply = await ada.get(path.replace(/\{(\w+)\}/g, (_, parameter: string) => String(ids[parameter])));
    return reply.headers.get('etag') ?? expect.fail(`nothing to read for ${name}`);
  };

  // Deletes objects after their last use, innermost first.
  const phases = [/^(?!.*(?:restore|apply))(?:PATCH|POST) /, /apply$/, /^DELETE .*\{.*\{/, /restore$|^PUT /, /./];
  const phaseOf = ({ name }: { readonly name: string }) => phases.findIndex((phase) => phase.test(name));
  const inOrder = conditional.toSorted((a, b) => phaseOf(a) - phaseOf(b));
  for (const { name } of inOrder) {
    it(`prevents ${name} from changing what has changed, and allows it otherwise`, async () => {
      const reply = await sendExample(ada, name, idsFor(name), '"of another time"');
      expect(reply.status, reply.text).to.equal(412);
      const allowed = await sendExample(ada, name, idsFor(name), await tagFor(name));
      expect(allowed.status, allowed.text).to.not.equal(412);
      if (name.endsWith('/apply')) await made('change-sets', 'POST /api/zones/{zoneId}/change-sets', idsFor(name));
    });
  }
});
