import type { OriginChoice } from '@zonewright/engine';
import { expect } from 'chai';
import { OriginPools, originLimits } from '../../src/origins/origin-pools.ts';
import { OwnListeners } from '../../src/origins/own-listeners.ts';
import { ServerHealth } from '../../src/origins/server-health.ts';

const server = (host: string): OriginChoice => ({
  originServer: 'origin-1',
  protocol: 'https',
  address: '192.0.2.1',
  port: 443,
  host,
  weight: 1,
});

describe('Connections of a zone to origins', () => {
  it('take the place of none of another zone, however many host names there are', async () => {
    const own = new OwnListeners();
    const options = { allowed: [], limits: originLimits, own, poolsPerZone: 2, authorities: undefined };
    const pools = new OriginPools(options, new ServerHealth());
    const other = pools.of('zone-2', server('a.example'));
    const [first, second, third] = ['a.example', 'b.example', 'c.example'].map((host) =>
      pools.of('zone-1', server(host)),
    );
    expect([first, second, third, other].map((pool) => pool?.closed)).to.deep.equal([true, false, false, false]);
    expect(pools.of('zone-1', server('b.example'))).to.equal(second);
    expect(pools.of('zone-2', server('a.example'))).to.equal(other);
    await pools.close();
  });
});
