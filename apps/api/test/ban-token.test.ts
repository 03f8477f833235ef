import { expect } from 'chai';
import { anApiToken, aVerifiedUser, aZone, type User, type ZoneBody } from './support/arrange.ts';
import { type Client, expectProblem, statusCounts } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import { aRuleIn, historyOf, revisionsOf, tagOf } from './support/zone-contents.ts';

const missingId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';
const banToken = /^ban_[0-9A-Za-z]{36}$/;

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The checksum at the end of a token: CRC-32 (ISO 3309) of the text before it, as six base-62 digits. */
function checksum(text: string): string {
  let crc = 0xff_ff_ff_ff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
  }
  let rest = (crc ^ 0xff_ff_ff_ff) >>> 0;
  let written = '';
  for (let place = 0; place < 6; place += 1) {
    written = `${digits[rest % 62]}${written}`;
    rest = Math.floor(rest / 62);
  }
  return written;
}

describe('POST /api/zones/{id}/ban-token', () => {
  let service: MemoryService;
  let ada: User;
  let zone: ZoneBody;

  before(async () => {
    service = await openMemoryService();
    ada = await aVerifiedUser(service);
  });
  beforeEach(async () => {
    zone = await aZone(ada);
  });
  after(() => service.close());

  const pathOf = ({ id }: Pick<ZoneBody, 'id'>) => `/api/zones/${id}`;
  const rotate = (user: Client = ada, headers: Readonly<Record<string, string>> = {}, id = zone.id) =>
    user.post(`${pathOf({ id })}/ban-token`, undefined, headers);
  const presentToken = async () => ((await ada.get(pathOf(zone))).json() as ZoneBody).banToken;

  it('masks the token for a read-only API token', async () => {
    const reading = await anApiToken(ada, { readOnly: true });
    const [zones, one] = [await reading.get('/api/zones'), await reading.get(pathOf(zone))];
    for (const { text } of [zones, one]) expect(text).to.include(zone.id).and.to.not.include(zone.banToken);
    expect((one.json() as ZoneBody).banToken).to.match(/^ban_\*+$/);
  });

  it('answers 200 with the zone and a new, valid token', async () => {
    const reply = await rotate();
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    const { banToken: fresh, updatedAt, ...rest } = reply.json() as ZoneBody;
    const { banToken: old, updatedAt: created, ...same } = zone;
    expect(rest).to.deep.equal(same);
    expect(Date.parse(updatedAt)).to.be.at.least(Date.parse(created));
    expect(fresh).to.match(banToken).and.not.to.equal(old);
    expect(fresh.slice(-6)).to.equal(checksum(fresh.slice(0, -6)));
    expect(await presentToken()).to.equal(fresh);
    expect(reply.headers.get('etag')).to.equal(await tagOf(ada, pathOf(zone)));
  });

  it('answers 200 with linked data on demand', async () => {
    const reply = await rotate(ada, { accept: 'application/ld+json' });
    expect(reply.json()).to.include({ '@context': '/api/contexts/Zone', '@id': pathOf(zone), '@type': 'Zone' });
  });

  it('leaves no trace of the old token', async () => {
    await aRuleIn(ada, zone, 'configurationRules');
    const { banToken: fresh } = (await rotate()).json() as ZoneBody;
    for (const path of [pathOf(zone), `/api/zones?q=${zone.id}`]) {
      expect((await ada.get(path)).text).not.to.include(zone.banToken);
    }
    const stored = service.inTables(({ zones }) => [...zones.values()].map(({ banToken }) => banToken));
    expect(stored).to.include(fresh).and.not.include(zone.banToken);
  });

  it('is in the history, without either token', async () => {
    const { banToken: fresh } = (await rotate()).json() as ZoneBody;
    const [newest, ...older] = await historyOf(ada, zone);
    expect(older).to.have.length(1);
    expect(newest).to.deep.include({
      number: 2,
      action: 'zone.banTokenRotated',
      objects: {},
      author: `/api/users/${ada.id}`,
    });
    expect((await ada.get(`${revisionsOf(zone)}/2`)).json()).to.deep.include({ patch: {}, inversePatch: {} });
    const paths = [1, 2].map((number) => `${revisionsOf(zone)}/${number}`);
    for (const path of [revisionsOf(zone), ...paths, `${paths[0]}/diff/2`]) {
      const { text } = await ada.get(path);
      expect(text).to.not.match(/ban_|banToken"/);
      for (const token of [fresh, zone.banToken]) expect(text).not.to.include(token);
    }
  });

  it('is in the audit log, without either token', async () => {
    const { banToken: fresh } = (await rotate()).json() as ZoneBody;
    const reply = await ada.get(`/api/organizations/${ada.organization}/audit-log?action=zone.banTokenRotated`);
    const [entry] = reply.json() as readonly unknown[];
    expect(entry).to.deep.include({ actor: `/api/users/${ada.id}`, objects: { zone: zone.id } });
    for (const token of [fresh, zone.banToken]) expect(reply.text).not.to.include(token);
  });

  it('creates ten tokens for ten simultaneous rotations, of which the last one is valid', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => rotate()));
    expect(statusCounts(replies)).to.deep.equal({ 200: 10 });
    const tokens = replies.map((reply) => (reply.json() as ZoneBody).banToken);
    expect(new Set(tokens).size).to.equal(10);
    expect(tokens).to.include(await presentToken());
    expect((await historyOf(ada, zone)).map(({ number }) => number)).to.deep.equal([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('answers 404 to a zone that does not exist or cannot exist', async () => {
    for (const id of [missingId, 'abc']) expectProblem(await rotate(ada, {}, id), 404, 'not-found');
  });

  it('answers 412 with the current ETag when the zone has changed', async () => {
    const stale = await tagOf(ada, pathOf(zone));
    await aRuleIn(ada, zone, 'accessRules');
    const fresh = await tagOf(ada, pathOf(zone));
    const reply = await rotate(ada, { 'if-match': stale });
    expectProblem(reply, 412, 'precondition-failed');
    expect(reply.headers.get('etag')).to.equal(fresh);
    expect(await presentToken()).to.equal(zone.banToken);
    expect((await rotate(ada, { 'if-match': fresh })).status).to.equal(200);
    expect((await rotate(ada, { 'if-match': '*' })).status).to.equal(200);
  });

  it('rotates once per Idempotency-Key, and replays the response', async () => {
    const headers = { 'idempotency-key': 'once' };
    const [first, again] = [await rotate(ada, headers), await rotate(ada, headers)];
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
    expect(await historyOf(ada, zone)).to.have.length(2);
  });
});
