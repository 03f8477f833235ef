import { linkedDataDocuments, operationsOf, resourceClasses, resourcesOf } from '@zonewright/api-description';
import { expect } from 'chai';
import { routes } from '../support/route-table.ts';

type Terms = Readonly<Record<string, unknown>>;

const publicBaseUrl = 'https://api.example.com/base';
const documents = linkedDataDocuments(operationsOf(routes), { publicBaseUrl });
/** Some types have several representations. */
const resources = resourcesOf(operationsOf(routes));

const contextOf = (name: string): Terms => {
  const { body = '{}' } = documents.find(({ path }) => path === `/api/contexts/${name}`) ?? {};
  return (JSON.parse(body) as { readonly '@context'?: Terms })['@context'] ?? {};
};

describe('/api/contexts/<Type>', () => {
  for (const { type, schema } of resources) {
    it(`of ${type} maps ${Object.keys(schema.shape).join(', ')}`, () => {
      const context = contextOf(type);
      for (const name of Object.keys(schema.shape)) {
        const definition = context[name];
        const id = typeof definition === 'string' ? definition : (definition as Terms)['@id'];
        expect(id, name).to.equal(`${type}/${name}`);
      }
    });
  }

  it('uses the documentation as its vocabulary, where clients look for it', () => {
    for (const { type } of resources) {
      expect(contextOf(type)['@vocab']).to.equal(`${publicBaseUrl}/api/docs.jsonld#`);
    }
  });

  it('maps addresses to links, opaque values to JSON, and lists to sets', () => {
    const [zone, token] = [contextOf('Zone'), contextOf('ApiToken')];
    expect(zone['organization']).to.deep.equal({ '@id': 'Zone/organization', '@type': '@id' });
    expect(zone['zone_settings']).to.deep.equal({ '@id': 'Zone/zone_settings', '@type': '@json' });
    expect(zone['accessRules']).to.deep.equal({ '@id': 'Zone/accessRules', '@container': '@set' });
    expect(zone['name']).to.equal('Zone/name');
    expect(token['organizations']).to.deep.equal({
      '@id': 'ApiToken/organizations',
      '@type': '@id',
      '@container': '@set',
    });
  });

  it('of the entrypoint maps the name of every list', () => {
    const entries = [
      'accountEvent',
      'apiToken',
      'linkedIdentity',
      'organization',
      'passkey',
      'session',
      'signInProvider',
      'zone',
    ];
    expect(contextOf('Entrypoint')).to.deep.equal({
      '@vocab': `${publicBaseUrl}/api/docs.jsonld#`,
      hydra: 'http://www.w3.org/ns/hydra/core#',
      ...Object.fromEntries(entries.map((name) => [name, { '@id': `Entrypoint/${name}`, '@type': '@id' }])),
    });
  });
});

describe('resourceClasses', () => {
  const classes = new Map(resourceClasses(operationsOf(routes)).map((each) => [each.type, each]));
  const membersWhere = (type: string, holds: 'isReadable' | 'isWriteable' | 'isRequired') =>
    classes.get(type)?.members.flatMap((member) => (member[holds] ? [member.name] : []));

  it('contains every type in responses', () => {
    expect([...classes.keys()]).to.deep.equal([...new Set(resources.map(({ type }) => type))].toSorted());
  });

  it('derives writable and required members from request bodies', () => {
    expect(membersWhere('Organization', 'isWriteable')).to.deep.equal(['name', 'enforceTwoFactor', 'requiredProvider']);
    expect(membersWhere('Organization', 'isRequired')).to.deep.equal(['name']);
    expect(membersWhere('Session', 'isWriteable')).to.deep.equal([]);
    expect(membersWhere('OrganizationMember', 'isWriteable')).to.deep.equal(['role']);
  });

  it('includes write-only members', () => {
    expect(membersWhere('BasicAuthUser', 'isWriteable')).to.include.members(['username', 'password']);
    expect(membersWhere('BasicAuthUser', 'isReadable')).not.to.include('password');
  });

  it('requires only members that all alternatives require', () => {
    expect(membersWhere('SecurityScenario', 'isRequired')).to.deep.equal([]);
    expect(membersWhere('ConfigurationRule', 'isRequired')).to.deep.equal(['name', 'conditions']);
  });

  it('places every route of a resource', () => {
    const placed = [...classes.values()].flatMap(({ operations, parts, collection }) =>
      [...operations, ...parts.flatMap((part) => part.operations), ...(collection?.operations ?? [])].map(
        ({ route }) => `${route.method} ${route.path}`,
      ),
    );
    const others = routes.map(({ method, path }) => `${method} ${path}`).filter((name) => !placed.includes(name));
    expect(others.filter((name) => !/ \/(?:api\/(?:auth|2fa)|edge)\//.test(name))).to.deep.equal([
      'post /api/invitations/accept',
    ]);
    expect(new Set(placed).size).to.equal(placed.length);
  });

  it('describes each member', () => {
    const silent = [...classes.values()].flatMap(({ type, members }) =>
      members.flatMap(({ name, description }) => (description === undefined ? [`${type}.${name}`] : [])),
    );
    expect(silent).to.deep.equal([]);
  });
});
