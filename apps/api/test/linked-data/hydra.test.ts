import { type Field, type Operation, parseHydraDocumentation, type Resource } from '@api-platform/api-doc-parser';
import { expect } from 'chai';
import { aVerifiedUser, type User } from '../support/arrange.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { routes } from '../support/route-table.ts';
import { readerOf } from './json-ld.ts';

/** A class as the API documentation writes it. */
interface Class {
  readonly '@id': string;
  readonly title: string;
  readonly supportedProperty: readonly Property[];
  readonly supportedOperation?: readonly Described[];
}

interface Property {
  readonly property: { readonly '@id': string; readonly supportedOperation?: readonly Described[] };
  readonly title: string;
  readonly readable: boolean;
  readonly writeable: boolean;
}

interface Described {
  readonly method: string;
  readonly title: string;
  readonly expects?: string;
  readonly returns: string;
}

const names = (fields: readonly Field[] | null | undefined) => (fields ?? []).map(({ name }) => name);
/** The members that the paths point to or into. */
const membersAmong = (paths: readonly string[]) => [...new Set(paths.map((path) => path.split('.')[0]))];
const reported = (operations: readonly Operation[] | null | undefined) =>
  (operations ?? []).map(({ type, method, name }) => `${type} ${method} ${name}`);

describe('parseHydraDocumentation', () => {
  let service: MemoryService;
  let resources: ReadonlyMap<string, Resource>;

  before(async () => {
    service = await openMemoryService();
    const ada: User = await aVerifiedUser(service);
    const headers = { Authorization: `Bearer ${ada.token}` };
    const { api } = await parseHydraDocumentation(`${service.url}/api`, { headers });
    resources = new Map((api.resources ?? []).map((resource) => [resource.title ?? '', resource]));
  });
  after(() => service.close());

  const resource = (title: string): Resource => resources.get(title) ?? expect.fail(`no resource ${title}`);
  const field = (title: string, name: string) => resource(title).fields?.find((each) => each.name === name);

  it('finds every top-level list', () => {
    expect([...resources.values()].map(({ title, url }) => `${title} ${url}`)).to.deep.equal([
      `AccountEvent ${service.url}/api/users/me/audit-log`,
      `ApiToken ${service.url}/api/api-tokens`,
      `LinkedIdentity ${service.url}/api/users/me/providers`,
      `Organization ${service.url}/api/organizations`,
      `Passkey ${service.url}/api/users/me/passkeys`,
      `Session ${service.url}/api/users/me/sessions`,
      `SignInProvider ${service.url}/api/auth/providers`,
      `Zone ${service.url}/api/zones`,
    ]);
  });

  it('needs no credentials', async () => {
    const { api, status } = await parseHydraDocumentation(`${service.url}/api`);
    expect([status, api.title, api.resources?.length]).to.deep.equal([200, 'Zonewright API', 8]);
  });

  for (const [title, readable, writeable, required] of [
    [
      'ApiToken',
      'id name prefix readOnly organizations permissions zones networks expiresAt lastUsedAt lastUsedNetwork active createdAt plainToken',
      'name readOnly organizations permissions zones networks expiresAt',
      'name',
    ],
    [
      'Zone',
      'id name tag hostnames organization banToken createdBy createdAt updatedAt zone_settings usage rewriteRules configurationRules accessRules securityScenarios missing',
      'name tag hostnames organization zone_settings',
      'name',
    ],
  ] as const) {
    it(`finds the fields of ${title}: readable, writable and required ones`, () => {
      const { readableFields, writableFields, fields } = resource(title);
      const needed = fields?.filter((each) => each.required);
      const found = [readableFields, writableFields, needed].map((each) => membersAmong(names(each)).join(' '));
      expect(found).to.deep.equal([readable, writeable, required]);
    });
  }

  it('finds the values inside a JSON object by path, instead of the object', () => {
    const { readableFields, writableFields } = resource('Zone');
    expect(field('Zone', 'zone_settings.cachingDefaultTtl')).to.include({ type: 'integer', maxCardinality: 1 });
    expect(names(readableFields))
      .to.include.members(['zone_settings.basicAuth.enabled', 'zone_settings.defaultBackend.id', 'usage.waf.used'])
      .and.to.include('zone_settings.cachingIgnoredCacheTags')
      .and.not.include.members(['zone_settings', 'usage', 'zone_settings.headersRequestSet']);
    expect(names(writableFields).filter((name) => name.startsWith('zone_settings'))).to.have.length(17);
    for (const unsafe of ['', '.enabled', '.defaultBackend.id', '.cachingIgnoredCacheTags'])
      expect(names(writableFields)).not.to.include(`zone_settings${unsafe}`);
  });

  it('finds the operations of a resource', () => {
    expect(reported(resource('Session').operations)).to.deep.equal([
      'list GET getSessionCollection',
      'list DELETE deleteSessionCollection',
      'delete DELETE deleteSession',
    ]);
    expect(reported(resource('Zone').operations)).to.deep.equal([
      'list GET getZoneCollection',
      'create POST postZone',
      'show GET getZone',
      'edit PATCH patchZone',
      'delete DELETE deleteZone',
    ]);
  });

  it('finds the filters of a list, if it has any', async () => {
    const filtersOf = async (title: string) =>
      ((await resource(title).getParameters?.()) ?? []).map(({ variable }) => variable).join(' ');
    expect(await filtersOf('Session')).to.equal('');
    expect(await filtersOf('Zone')).to.equal(
      'organization q hostname tag tag[] order[name] order[tag] order[createdAt] order[updatedAt]',
    );
  });

  it('finds types, descriptions and link targets', () => {
    expect(field('Zone', 'createdAt')).to.include({ type: 'dateTime', description: 'When the zone was created.' });
    expect(field('Organization', 'id')).to.include({ type: 'integer' });
    expect(field('Organization', 'enforceTwoFactor')).to.include({ type: 'boolean' });
    expect(field('Zone', 'organization')).to.include({ maxCardinality: 1 });
    expect(field('Zone', 'organization')?.reference).to.equal(resource('Organization'));
    expect(field('ApiToken', 'organizations')).to.include({ maxCardinality: null });
    expect(field('ApiToken', 'organizations')?.reference).to.equal(resource('Organization'));
  });
});

describe('/api/docs.jsonld', () => {
  let service: MemoryService;
  let classes: ReadonlyMap<string, Class>;
  let document: Readonly<Record<string, unknown>>;

  before(async () => {
    service = await openMemoryService();
    document = (await (await fetch(`${service.url}/api/docs.jsonld`)).json()) as typeof document;
    const supported = document['supportedClass'] as readonly Class[];
    classes = new Map(supported.map((each) => [each['@id'], each]));
  });
  after(() => service.close());

  const described = () => {
    const found = [...classes.values()];
    const properties = found.flatMap(({ supportedProperty }) => supportedProperty);
    const operations = [
      ...found.flatMap(({ supportedOperation }) => supportedOperation ?? []),
      ...properties.flatMap(({ property }) => property.supportedOperation ?? []),
    ];
    return { found, properties, operations };
  };
  const classOf = (type: string): Class => classes.get(`#${type}`) ?? expect.fail(`no class ${type}`);
  const operationsAt = (type: string, part: string) =>
    classOf(type)
      .supportedProperty.find(({ title }) => title === part)
      ?.property.supportedOperation?.map(({ method, title, expects, returns }) => [method, title, expects, returns]);

  it('has a class for every resource, including nested ones, for the entrypoint and for problems', () => {
    expect([...classes.keys()]).to.include.members(
      'AccessRule AuditEntry BasicAuthUser ConfigurationRule Invitation OrganizationMember Revision RewriteRule SecurityScenario Session User Zone Entrypoint Error ConstraintViolation ConstraintViolationList Violation'
        .split(' ')
        .map((name) => `#${name}`),
    );
  });

  it('describes how nested lists are read and written', () => {
    expect(operationsAt('Zone', 'configuration-rules')).to.deep.equal([
      ['GET', 'getConfigurationRuleCollection', undefined, 'Collection'],
      ['POST', 'postConfigurationRule', 'ConfigurationRule', 'ConfigurationRule'],
      ['PUT', 'putConfigurationRuleCollection', 'Collection', 'Collection'],
    ]);
  });

  it('describes the actions on an item', () => {
    expect(operationsAt('Zone', 'ban-token')).to.deep.equal([['POST', 'postZoneBanToken', undefined, 'Zone']]);
    expect(operationsAt('AccessRule', 'move')).to.deep.equal([
      ['POST', 'postAccessRuleMove', 'AccessRuleMove', 'AccessRule'],
    ]);
    expect(classOf('AccessRuleMove').supportedProperty.map(({ title }) => title)).to.deep.equal([
      'before',
      'after',
      'position',
    ]);
  });

  it('states the media type of a merge patch', () => {
    const patch = classOf('Zone').supportedOperation?.find(({ method }) => method === 'PATCH');
    expect(patch).to.deep.equal({
      '@type': ['Operation', 'schema:UpdateAction'],
      method: 'PATCH',
      title: 'patchZone',
      description:
        'Change the name, tag, host names or settings of a zone. Null resets a setting to its default, and removes all host names. Rules that depend on the settings are checked again; the violation names a rule that would become invalid.',
      expects: 'Zone',
      expectsHeader: [{ headerName: 'Content-Type', possibleValue: ['application/merge-patch+json'] }],
      returns: 'Zone',
    });
  });

  it('states that replacing a list requires a precondition', () => {
    const part = classOf('Zone').supportedProperty.find(({ title }) => title === 'access-rules');
    const replace = part?.property.supportedOperation?.find(({ method }) => method === 'PUT');
    expect(replace).to.deep.include({
      expectsHeader: [
        { headerName: 'Content-Type', possibleValue: ['application/json', 'application/ld+json'] },
        { headerName: 'If-Match' },
      ],
    });
  });

  it('describes every operation on a resource, each under its own name', () => {
    const { operations } = described();
    const titles = operations.map(({ title }) => title);
    expect(new Set(titles).size).to.equal(titles.length);
    // The list of providers is the only resource below /api/auth.
    const onResources = routes.filter(
      ({ path }) => path === '/api/auth/providers' || !/^\/(?:api\/(?:auth|2fa|invitations)|edge)\//.test(path),
    );
    expect(titles.filter((title) => title !== 'getEntrypoint')).to.have.length(onResources.length);
  });

  it('refers only to its own classes', () => {
    const { operations, properties } = described();
    const known = [...classes.keys()].map((id) => id.slice(1));
    const named = operations.flatMap(({ expects, returns }) => [expects ?? returns, returns]);
    expect(
      named.filter((name) => !known.includes(name) && !['Collection', 'owl:Nothing'].includes(name)),
    ).to.deep.equal([]);
    const ranges = JSON.stringify(properties).matchAll(/"(?:range|owl:allValuesFrom)":(?:\{"@id":)?"#(\w+)"/g);
    expect([...ranges].map(([, name]) => name).filter((name) => !known.includes(name ?? ''))).to.deep.equal([]);
  });

  it('assigns every property its own IRI', () => {
    const addresses = described().properties.map(({ property }) => property['@id']);
    expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).to.deep.equal([]);
  });

  it('expands, with IRIs relative to its location', async () => {
    const [expanded] = await readerOf(service.url).expand(document);
    const hydra = 'http://www.w3.org/ns/hydra/core#';
    expect(expanded).to.include({ '@id': `${service.url}/api/docs.jsonld` });
    expect(expanded?.[`${hydra}entrypoint`]).to.deep.equal([{ '@id': `${service.url}/api` }]);
    expect(JSON.stringify(expanded)).to.include(`"${hydra}returns":[{"@id":"${service.url}/api/docs.jsonld#Zone"}]`);
    expect(JSON.stringify(expanded)).to.include(`"@id":"${service.url}/api/docs.jsonld#Zone/name"`);
    expect(JSON.stringify(expanded)).not.to.match(/"@id":"(?!http|_:)/);
  });
});
