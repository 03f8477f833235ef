import { expect } from 'chai';
import { clientNetwork, trustedProxyList, wideNetwork } from '../../src/http/client-address.ts';

describe('wideNetwork', () => {
  const networkOf = (remoteAddress: string) =>
    clientNetwork({ socket: { remoteAddress }, headers: {} }, trustedProxyList([]));
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:DB8:0001::1', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['2001:db8:0:7::1', '2001:db8:0::/48'],
    ['2001:0:0:1::', '2001:0:0::/48'],
    ['::1', '0:0:0::/48'],
    ['192.0.2.1', undefined],
    ['::ffff:192.0.2.1', undefined],
  ];
  for (const [address, site] of cases) {
    it(`is ${site} for ${address}`, () => {
      expect(wideNetwork(networkOf(address))).to.equal(site);
    });
  }
});
