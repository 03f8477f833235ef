import { expect } from 'chai';
import { aMember, aVerifiedUser, type User } from '../support/arrange.ts';
import { type Client, clientOf } from '../support/client.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { type Ids, sendExample } from './sent-examples.ts';

const lists = ['rewrite-rules', 'configuration-rules', 'access-rules', 'security/scenarios', 'basic-auth-users'];
const orderedLists = lists.slice(0, 3);

describe('an example of the OpenAPI document', function () {
  this.timeout(60_000);
  let service: MemoryService;
  let ada: User;
  let zoneId: string;

  const send = async (name: string, ids: Ids, expected: number, client: Client = ada) => {
    const reply = await sendExample(client, name, ids, '*');
    expect(reply.status, `${name}: ${reply.text}`).to.equal(expected);
    return reply.json() as { readonly id: string };
  };

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
    zoneId = (await send('POST /api/zones', {}, 201)).id;
  });
  after(() => service.close());

  it('creates and changes a zone', async () => {
    const { id } = await send('PATCH /api/zones/{id}', { id: zoneId }, 200);
    expect(id).to.equal(zoneId);
  });

  for (const list of lists) {
    const path = `/api/zones/{zoneId}/${list}`;

    it(`creates and changes one of a zone's ${list}`, async () => {
      const { id } = await send(`POST ${path}`, { zoneId }, 201);
      await send(`PATCH ${path}/{id}`, { zoneId, id }, 200);
      if (orderedLists.includes(list)) await send(`POST ${path}/{id}/move`, { zoneId, id }, 200);
    });
  }

  for (const list of orderedLists) {
    it(`replaces the ${list} of a zone`, async () => {
      await send(`PUT /api/zones/{zoneId}/${list}`, { zoneId }, 200);
    });
  }

  it('creates and renames an organization, invites to it and changes a role in it', async () => {
    const { id } = await send('POST /api/organizations', {}, 201);
    await send('PATCH /api/organizations/{id}', { id }, 200);
    await send('POST /api/organizations/{id}/invitations', { id }, 201);
    await send('POST /api/organizations/{id}/domains', { id }, 201);
    const member = await aMember(service, ada, 'viewer');
    await send('PATCH /api/organizations/{id}/members/{user}', { id: ada.organization, user: member.id }, 200);
  });

  it('creates an API token, and changes a profile', async () => {
    await send('POST /api/api-tokens', {}, 201);
    await send('PATCH /api/users/me', {}, 200);
  });

  it('registers an account, and requests mails to it', async () => {
    const stranger = clientOf(service.url);
    await send('POST /api/auth/register', {}, 201, stranger);
    await send('POST /api/auth/resend-verification', {}, 200, stranger);
    await send('POST /api/auth/forgot-password', {}, 200, stranger);
    await send('POST /api/auth/login', {}, 403, stranger);
  });
});
