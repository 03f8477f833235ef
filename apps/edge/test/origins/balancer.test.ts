import type { OriginChoice } from '@zonewright/engine';
import { expect } from 'chai';
import { Balancer } from '../../src/origins/balancer.ts';
import { ServerHealth } from '../../src/origins/server-health.ts';
import { serverKey } from '../../src/origins/server-key.ts';

const server = (originServer: string, weight = 1): OriginChoice => ({
  originServer,
  protocol: 'http',
  address: '192.0.2.1',
  port: 80,
  host: 'a.example',
  weight,
});

const [a, b, c] = [server('a', 5), server('b'), server('c')] as const;
const servers = [a, b, c];
const choice = { backend: 'lb', servers, client: '192.0.2.9', tried: [] };

const counted = (names: readonly (string | undefined)[]) =>
  Object.fromEntries(['a', 'b', 'c'].map((name) => [name, names.filter((each) => each === name).length]));

describe('The choice of an origin server', () => {
  it('by chance follows the weights', () => {
    let turn = 0;
    const balancer = new Balancer(new ServerHealth(), () => (turn++ % 7) / 7);
    const names = Array.from({ length: 70 }, () => balancer.choose({ ...choice, method: 'random' })?.originServer);
    expect(counted(names)).to.deep.equal({ a: 50, b: 10, c: 10 });
  });

  it('in turn follows the weights, without long runs, for each backend by itself', () => {
    const balancer = new Balancer(new ServerHealth());
    const next = (backend: string) => balancer.choose({ ...choice, backend, method: 'round_robin' })?.originServer;
    const names = Array.from({ length: 7 }, () => {
      next('other');
      return next('lb');
    });
    expect(names.join('')).to.equal('aabacaa');
  });

  it('by address keeps a client with its server when another one goes', () => {
    const balancer = new Balancer(new ServerHealth());
    const of = (client: string, among: readonly OriginChoice[]) =>
      balancer.choose({ ...choice, servers: among, client, method: 'ip_hash' })?.originServer;
    const clients = Array.from({ length: 700 }, (_, index) => `192.0.${index % 7}.${index}`);
    const before = clients.map((client) => of(client, servers));
    const { a: ofA = 0, b: ofB = 0, c: ofC = 0 } = counted(before);
    expect(ofA).to.be.within(430, 570);
    expect(ofB).to.be.within(60, 140);
    expect(ofC).to.be.within(60, 140);
    for (const [index, client] of clients.entries()) {
      if (before[index] !== 'c') expect(of(client, [a, b])).to.equal(before[index]);
    }
  });

  it('by load takes the one with the fewest requests for its weight', () => {
    const balancer = new Balancer(new ServerHealth());
    const choose = () => balancer.choose({ ...choice, method: 'least_connections' });
    const ends = Array.from({ length: 7 }, () => {
      const chosen = choose() ?? a;
      return { name: chosen.originServer, end: balancer.begin(chosen) };
    });
    expect(counted(ends.map(({ name }) => name))).to.deep.equal({ a: 5, b: 1, c: 1 });
    const ofB = ends.find(({ name }) => name === 'b');
    ofB?.end();
    ofB?.end();
    ends.find(({ name }) => name === 'a')?.end();
    expect(balancer.choose({ ...choice, servers: [b, c], method: 'least_connections' })?.originServer).to.equal('b');
  });

  it('leaves out what refuses connections for 10 seconds, doubled up to 5 minutes', () => {
    let now = 0;
    const health = new ServerHealth(() => now);
    const pauses = Array.from({ length: 8 }, () => {
      health.refused(serverKey(a));
      health.refused(serverKey(a));
      const began = now;
      while (health.isLeftOut(serverKey(a))) now += 1000;
      return (now - began) / 1000;
    });
    expect(pauses).to.deep.equal([10, 20, 40, 80, 160, 300, 300, 300]);
    health.connected(serverKey(a));
    health.refused(serverKey(a));
    now += 10_000;
    expect(health.isLeftOut(serverKey(a))).to.equal(false);
  });

  it('takes another server than those left out or tried, and any when all are left out', () => {
    const health = new ServerHealth();
    const balancer = new Balancer(health);
    health.refused(serverKey(a));
    health.refused(serverKey(b));
    for (const method of ['random', 'round_robin', 'ip_hash', 'least_connections']) {
      expect(balancer.choose({ ...choice, method })?.originServer, method).to.equal('c');
      expect(balancer.choose({ ...choice, method, tried: [c] })?.originServer, method).to.be.oneOf(['a', 'b']);
      expect(balancer.choose({ ...choice, method, tried: servers }), method).to.equal(undefined);
    }
  });
});
