import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  checkNextDomain,
  DomainId,
  DomainName,
  OrganizationName,
  type UserId,
  verificationRecord,
} from '@zonewright/core';
import { MemoryUnitOfWork, memoryDns } from '@zonewright/memory';
import { expect } from 'chai';
import { ResultAsync } from 'neverthrow';
import { pino } from 'pino';
import { type NameServer, openNameServer } from '../../../packages/dns/test/name-server.ts';
import { domainWorker } from '../src/process/workers/domain-worker.ts';
import {
  aDomain,
  aMember,
  aVerifiedUser,
  aZone,
  type DomainBody,
  domainsOf,
  type User,
  unique,
  type ZoneBody,
} from './support/arrange.ts';
import { expectProblem, type Reply } from './support/client.ts';
import { defaultLimits } from './support/config.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const violationsIn = (reply: Reply) =>
  (reply.json() as { violations: readonly { propertyPath: string; code: string }[] }).violations.map(
    ({ propertyPath, code }) => `${propertyPath} ${code}`,
  );

describe('Domains', () => {
  let service: MemoryService;
  let names: NameServer;
  let ada: User;

  before(async () => {
    names = await openNameServer();
    service = await openMemoryService({
      dnsServers: [names.address],
      hostNameRules: { own: 'zones.example.net', verification: 'dns' },
    });
  });
  beforeEach(async () => {
    ada = await aVerifiedUser(service);
  });
  after(async () => {
    await service.close();
    await names.close();
  });

  const add = (name: string, user = ada) => user.post(domainsOf(ada), { name });
  const pathOf = ({ id }: Pick<DomainBody, 'id'>) => `${domainsOf(ada)}/${id}`;
  const verify = (domain: DomainBody, user = ada) => user.post(`${pathOf(domain)}/verify`);
  const publish = ({ record }: DomainBody, ...texts: string[]) =>
    names.names.set(
      record.name,
      (texts.length === 0 ? [record.value] : texts).map((text) => [text]),
    );
  /** A domain that is verified. */
  const verified = async (name?: string) => {
    const domain = await aDomain(ada, name);
    publish(domain);
    const reply = await verify(domain);
    expect(reply.json()).to.include({ state: 'verified' });
    return domain;
  };

  describe('POST /api/organizations/{id}/domains', () => {
    it('returns 201 with a pending domain and the record to add', async () => {
      const reply = await add('Bücher.example');
      expect(reply.status).to.equal(201);
      const { id, createdAt, updatedAt, nextCheckAt, record, ...rest } = reply.json() as DomainBody;
      expect(id).to.match(uuid);
      expect(reply.headers.get('location')).to.equal(pathOf({ id }));
      expect(rest).to.deep.equal({
        organization: `/api/organizations/${ada.organization}`,
        name: 'xn--bcher-kva.example',
        unicodeName: 'bücher.example',
        state: 'pending',
      });
      expect(record).to.include({ name: '_zonewright.xn--bcher-kva.example', type: 'TXT' });
      expect(record.value).to.match(/^zonewright-verification=[A-Za-z0-9_-]{43}$/);
      expect(updatedAt).to.equal(createdAt);
      expect(Date.parse(nextCheckAt ?? '') - Date.parse(createdAt)).to.equal(60_000);
      const read = await ada.get(pathOf({ id }));
      expect(read.json()).to.deep.equal(reply.json());
      expect(read.headers.get('etag')).to.equal(reply.headers.get('etag'));
    });

    it('returns 422 for a name that is none of a domain, or that the organization has', async () => {
      const { name } = await aDomain(ada);
      for (const [wrong, code] of [
        ['example', 'hostname.syntax'],
        ['co.uk', 'hostname.publicSuffix'],
        ['zones.example.net', 'hostname.own'],
        [name.toUpperCase(), 'domain.duplicate'],
      ] as const) {
        expectProblem(await add(wrong), 422, 'validation-failed', [`name: ${code}`]);
      }
    });
  });

  describe('GET /api/organizations/{id}/domains', () => {
    it('returns 200 for members with all domains, by name', async () => {
      const [second, first] = [await aDomain(ada, 'b.example'), await aDomain(ada, 'a.example')];
      const viewer = await aMember(service, ada, 'viewer');
      const reply = await viewer.get(domainsOf(ada));
      expect(reply.json()).to.deep.equal([first, second]);
      expect(reply.headers.get('x-total-count')).to.equal('2');
    });
  });

  describe('POST /api/organizations/{id}/domains/{domainId}/verify', () => {
    it('returns 200 with what a real name server says', async () => {
      const domain = await aDomain(ada);
      const seen = async () => (await verify(domain)).json() as DomainBody;
      expect((await seen()).problem?.code).to.equal('dns.noSuchName');
      names.names.set(domain.record.name, []);
      expect((await seen()).problem?.code).to.equal('dns.noRecord');
      publish(domain, 'zonewright-verification=another');
      expect((await seen()).problem).to.deep.equal({
        code: 'dns.otherValue',
        message: 'The TXT record has another value: zonewright-verification=another',
      });
      names.names.set(domain.record.name, 'SERVFAIL');
      expect((await seen()).problem?.code).to.equal('dns.failed');
      publish(domain, 'v=spf1 -all', domain.record.value);
      const { state, problem, verifiedAt, checkedAt } = await seen();
      expect([state, problem]).to.deep.equal(['verified', undefined]);
      expect(verifiedAt).to.equal(checkedAt);
    });

    it('does not look for those who may not', async () => {
      const domain = await aDomain(ada);
      const before = names.asked.length;
      expectProblem(await verify(domain, await aMember(service, ada, 'editor')), 403, 'forbidden');
      expectProblem(await verify({ ...domain, id: '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e' }), 404, 'not-found');
      expect(names.asked).to.have.lengthOf(before);
    });
  });

  describe('DELETE /api/organizations/{id}/domains/{domainId}', () => {
    it('returns 409 while a zone has a host name that it covers, and 204 from then on', async () => {
      const domain = await verified();
      const zone = await aZone(ada, { hostnames: [`*.${domain.name}`] });
      expectProblem(await ada.delete(pathOf(domain)), 409, 'domain-in-use');
      await ada.delete(`/api/zones/${zone.id}`);
      expect((await ada.delete(pathOf(domain))).status).to.equal(204);
    });
  });

  describe('hostnames of zones', () => {
    it('are shown in every read, changed by PATCH, and found by a filter', async () => {
      const { name } = await verified();
      const hostnames = [`www.${name}`, `*.${name}`];
      const zone = await aZone(ada, { hostnames: [`WWW.${name}`, `*.${name}`] });
      expect(zone.hostnames).to.deep.equal(hostnames);
      const read = async (path: string) => (await ada.get(path)).json();
      expect(await read(`/api/zones/${zone.id}`)).to.deep.include({ hostnames });
      const found = (query: string) => read(`/api/zones?hostname=${query}`);
      expect(await found(`*.${name}`)).to.deep.equal([zone]);
      expect(await found(`www.${name.toUpperCase()}`)).to.deep.equal([zone]);
      expect(await found(`a.${name}`)).to.deep.equal([]);
      const patched = await ada.patch(`/api/zones/${zone.id}`, { hostnames: [name] });
      expect((patched.json() as ZoneBody).hostnames).to.deep.equal([name]);
      expect(await found(`*.${name}`)).to.deep.equal([]);
      const revision = (await read(`/api/zones/${zone.id}/revisions/2`)) as { patch: unknown; state: unknown };
      expect(revision.patch).to.deep.equal({ hostnames: [name] });
      expect(revision.state).to.deep.include({ hostnames: [name] });
      for (const name of ['nothing', '']) {
        expectProblem(await ada.get(`/api/zones?hostname=${name}`), 400, 'invalid-query', [
          'hostname: hostname.syntax',
        ]);
      }
    });

    it('are refused with 422 at their place', async () => {
      const { name } = await verified();
      await aZone(ada, { hostnames: [`a.${name}`] });
      const refused = async (...hostnames: string[]) =>
        violationsIn(await ada.post('/api/zones', { name: `zone ${unique()}`, hostnames }));
      expect(await refused(`b.${name}`, 'nowhere', 'co.uk', `B.${name}`)).to.have.members([
        'hostnames[1] hostname.syntax',
        'hostnames[2] hostname.publicSuffix',
        'hostnames[3] hostname.duplicate',
      ]);
      expect(await refused(`a.${name}`, 'zones.example.net', 'www.elsewhere.example', `b.${name}`)).to.deep.equal([
        'hostnames[0] hostname.taken',
        'hostnames[1] hostname.own',
        'hostnames[2] hostname.notCovered',
      ]);
    });
  });
});

describe('POST /api/organizations/{id}/domains/{domainId}/verify, with default limits', () => {
  it('returns 429 for the eleventh check of a domain within ten minutes, no matter which member asks', async () => {
    const service = await openMemoryService(defaultLimits());
    try {
      const ada = await aVerifiedUser(service);
      const admin = await aMember(service, ada, 'admin');
      const [one, other] = [await aDomain(ada), await aDomain(ada)];
      const verify = (user: User, { id }: DomainBody) => user.post(`${domainsOf(ada)}/${id}/verify`);
      for (let count = 0; count < 10; count += 1) {
        expect((await verify(count % 2 === 0 ? ada : admin, one)).status).to.equal(200);
      }
      expectProblem(await verify(admin, one), 429, 'too-many-requests');
      expect((await verify(admin, other)).status).to.equal(200);
    } finally {
      await service.close();
    }
  });
});

describe('domainWorker', () => {
  it('looks at all domains that are due as soon as it starts', async () => {
    const unitOfWork = new MemoryUnitOfWork();
    const dns = memoryDns();
    const added = await unitOfWork.run(({ organizations, domains }) =>
      organizations
        .create({ name: OrganizationName.parse('Example'), owner: randomUUID() as UserId })
        .andThen(({ id }) =>
          ResultAsync.combine(
            ['a.example', 'b.example', 'c.example', 'd.example', 'e.example'].map((name) =>
              domains.add({
                id: DomainId.parse(randomUUID()),
                organizationId: id,
                name: DomainName.parse(name),
                proof: name,
                firstCheckSeconds: 0,
              }),
            ),
          ),
        ),
    );
    const all = added.unwrapOr([]);
    for (const domain of all) dns.records.set(verificationRecord(domain).name, [verificationRecord(domain).value]);
    const worker = domainWorker({
      checkNextDomain: checkNextDomain({ unitOfWork, dns }),
      log: pino({ level: 'silent' }),
    });
    worker.start();
    const states = () => {
      const found: string[] = [];
      unitOfWork.arrange(({ domains }) => found.push(...[...domains.values()].map(({ domain }) => domain.state)));
      return found;
    };
    while (states().includes('pending')) await setImmediate();
    await worker.stop();
    expect(states()).to.deep.equal(all.map(() => 'verified'));
  });
});
