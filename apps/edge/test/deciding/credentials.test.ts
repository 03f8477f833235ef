import { connect } from 'node:net';
import bcrypt from 'bcrypt';
import { expect } from 'chai';
import { encrypt } from 'unixcrypt';
import { all } from '../../../../packages/engine/test/zones.ts';
import { credentialCheck } from '../../src/deciding/credentials.ts';
import type { ServedZone } from '../../src/documents/accepted-zone.ts';
import { ask, entriesOf, openEdge } from '../support/edge.ts';
import { httpOrigin } from '../support/origin.ts';
import { originOn, servedZone } from '../support/zones.ts';

const basic = (pair: string, encoding: BufferEncoding = 'utf8') =>
  `Basic ${Buffer.from(pair, encoding).toString('base64')}`;

/** Asks for the verdict on credentials from one client. */
function verdicts(now?: () => number) {
  const { verdict } = credentialCheck(now);
  return (zone: ServedZone, allowed: readonly string[], authorization: string, network = '192.0.2.1') =>
    verdict({ zone, allowed, authorization, network });
}

describe('Credentials of basic auth', () => {
  const password = 'pässwort';
  const users = {
    'user-1': { username: 'ann', hash: bcrypt.hashSync(password, 4).replace('$2b$', '$2y$') },
    'user-2': { username: 'bob', hash: encrypt(password, '$6$rounds=1000$saltsalt') },
    'user-3': { username: 'bob x', hash: '$apr1$x$y' },
  };
  const zone = servedZone({ users });

  it('are those of a user of the zone, with a hash of either kind', async () => {
    const verdict = verdicts();
    const of = (pair: string, allowed: readonly string[] = []) => verdict(zone, allowed, basic(pair));
    expect(await of(`ann:${password}`)).to.equal('right');
    expect(await of(`bob:${password}`)).to.equal('right');
    const wrong = ['ann:', 'ann', ':', '', 'ann:wrong', 'bob:wrong', `Ann:${password}`, `eve:${password}`, 'bob x:y'];
    for (const pair of wrong) expect(await of(pair), pair).to.equal('wrong');
    expect(await verdict(zone, [], basic('ann:passwort', 'latin1'))).to.equal('wrong');
    expect(await of(`ann:${password}`, ['user-2'])).to.equal('wrong');
    expect(await of(`bob:${password}`, ['user-2'])).to.equal('right');
  });

  it('are written as RFC 7617 says', async () => {
    const verdict = verdicts();
    const token = basic(`ann:${password}`).slice(6);
    for (const value of [`basic ${token}`, `BASIC   ${token}`, ` Basic ${token} `]) {
      expect(await verdict(zone, [], value), value).to.equal('right');
    }
    for (const value of [`Bearer ${token}`, `Basic ${token}, Basic ${token}`, 'Basic ?', `Basic ann:${password}`]) {
      expect(await verdict(zone, [], value), value).to.equal('wrong');
    }
  });

  it('are remembered for a minute if they are right, until there is a new document', async () => {
    let now = 0;
    const verdict = verdicts(() => now);
    const timed = async (of: typeof zone, pair: string) => {
      const began = process.cpuUsage();
      const result = await verdict(of, [], basic(pair));
      return [result, process.cpuUsage(began).user / 1000] as const;
    };
    const slow = servedZone({ users: { one: { username: 'ann', hash: bcrypt.hashSync('right', 10) } } });
    const again = servedZone({ users: { one: { username: 'ann', hash: bcrypt.hashSync('right', 10) } } });
    const isQuick = async (of: typeof zone, pair = 'ann:right') => (await timed(of, pair))[1] < 25;
    expect(await isQuick(slow)).to.equal(false);
    expect(await isQuick(slow)).to.equal(true);
    expect(await timed(slow, 'ann:wrong').then(([result]) => result)).to.equal('wrong');
    now = 59_999;
    expect(await isQuick(slow)).to.equal(true);
    now = 60_001;
    expect(await isQuick(slow)).to.equal(false);
    expect(await isQuick(again)).to.equal(false);
  });

  it('of one zone do not wait behind floods of another one', async () => {
    const verdict = verdicts();
    const slow = servedZone({ id: 'zone-2', users: { one: { username: 'ann', hash: bcrypt.hashSync('x', 7) } } });
    const flood = Array.from({ length: 200 }, (_, index) => verdict(slow, [], basic(`ann:${index}`), `${index}`));
    expect(await verdict(zone, [], basic(`ann:${password}`))).to.equal('right');
    expect(new Set(await Promise.all(flood))).to.deep.equal(new Set(['wrong', 'busy']));
  });

  it('are guessed by a client only so often, at each zone', async () => {
    let now = 0;
    const verdict = verdicts(() => now);
    const guess = (password: string, client: string) => verdict(zone, [], basic(`ann:${password}`), client);
    for (let count = 0; count < 19; count += 1) expect(await guess(`${count}`, 'a')).to.equal('wrong');
    expect(await guess(password, 'a')).to.equal('right');
    expect(await guess('x', 'a')).to.equal('wrong');
    expect(await guess('x', 'a')).to.equal('guessing');
    // Other clients, and what was right before, are not concerned.
    expect(await guess('x', 'b')).to.equal('wrong');
    expect(await guess(password, 'a')).to.equal('right');
    now = 4000;
    expect(await guess('x', 'a')).to.equal('wrong');
    expect(await guess('x', 'a')).to.equal('guessing');
  });

  it('of unknown names take as long as those of users', async () => {
    const verdict = verdicts();
    const slow = servedZone({ users: { one: { username: 'ann', hash: bcrypt.hashSync('right', 10) } } });
    const quick = servedZone({ users: { one: { username: 'ann', hash: bcrypt.hashSync('right', 4) } } });
    const workOf = async (of: ServedZone, name: string) => {
      const began = process.cpuUsage();
      await verdict(of, [], basic(`${name}:wrong`));
      return process.cpuUsage(began).user / 1000;
    };
    expect(await workOf(slow, 'eve')).to.be.greaterThan(25);
    expect(await workOf(quick, 'eve')).to.be.lessThan(25);
  });

  it('decide about requests before maintenance, and do not reach the origin', async () => {
    const origin = await httpOrigin();
    const guarded = servedZone({
      users,
      settings: { basicAuth: { enabled: true, allowedUserIds: ['user-1'] } },
      rules: [{ conditions: all('uri equals /off'), settingsOverrides: { customPagesMaintenanceActive: true } }],
      backends: [originOn(origin.port)],
    });
    const edge = await openEdge([guarded]);
    const statusOf = async (path: string, authorization: string) =>
      (await ask(edge, path, { headers: { Authorization: authorization } })).status;
    expect(await statusOf('/', basic(`ann:${password}`))).to.equal(200);
    expect(await statusOf('/', basic('ann:wrong'))).to.equal(401);
    expect(await statusOf('/', basic(`bob:${password}`))).to.equal(401);
    expect(await statusOf('/off', basic('ann:wrong'))).to.equal(401);
    expect(await statusOf('/off', basic(`ann:${password}`))).to.equal(503);
    expect(origin.received.map(({ headers }) => headers.authorization)).to.deep.equal([undefined]);
    expect(JSON.stringify(edge.entries)).to.not.match(/ann|YW5u/);
    await edge.close(0);
    await origin.close();
  });

  it('of a client that has gone away matter no more', async () => {
    const origin = await httpOrigin();
    const slow = { one: { username: 'ann', hash: bcrypt.hashSync('right', 10) } };
    const settings = { basicAuth: { enabled: true } };
    let begun: () => void = () => undefined;
    const checking = new Promise<void>((resolve) => (begun = resolve));
    const country = () => {
      begun();
      return null;
    };
    const facts = { country, asn: () => null, close: () => undefined };
    const zone = servedZone({ users: slow, settings, backends: [originOn(origin.port)] });
    const edge = await openEdge([zone], {}, { facts });
    const socket = connect(edge.port, '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\nHost: a.example\r\nAuthorization: ${basic('ann:right')}\r\n\r\n`);
    await checking;
    socket.destroy();
    expect((await ask(edge, '/', { headers: { Authorization: basic('ann:right') } })).status).to.equal(200);
    expect(origin.received.length).to.equal(1);
    await edge.close(0);
    await origin.close();
  });

  it('that cannot be checked, because of a defect, end nothing but their connection', async () => {
    const zone = servedZone({ settings: { basicAuth: { enabled: true, allowedUserIds: [] } } });
    // What no document has.
    const defective = { ...zone, document: { ...zone.document, basicAuthUsers: null as never } };
    const edge = await openEdge([defective]);
    const headers = { Authorization: `Basic ${btoa('a:b')}` };
    expect(await ask(edge, '/', { headers }).catch((error: unknown) => error)).to.be.instanceOf(Error);
    expect((await entriesOf(edge, 1))[0]?.failure).to.match(/^defect: TypeError/);
    expect((await ask(edge)).status).to.equal(401);
    await edge.close(0);
  });

  it('reach the origin where the zone asks for none', async () => {
    const origin = await httpOrigin();
    const edge = await openEdge([servedZone({ backends: [originOn(origin.port)] })]);
    await ask(edge, '/', { headers: { Authorization: 'Bearer x' } });
    expect(origin.received[0]?.headers.authorization).to.equal('Bearer x');
    await edge.close(0);
    await origin.close();
  });
});
