import { expect } from 'chai';
import * as fc from 'fast-check';
import { AddressSet, addressKey } from '../../src/addresses/address-set.ts';
import { isInRange, parseIpAddress, parseIpRange } from '../../src/addresses/ip-address.ts';
import { okOf } from '../outcomes.ts';

const has = (ranges: readonly string[], address: string) =>
  new AddressSet(ranges.map((range) => okOf(parseIpRange(range)))).has(addressKey(okOf(parseIpAddress(address))));

describe('AddressSet', () => {
  it('contains the addresses of all its ranges', () => {
    const address = fc.oneof(
      fc.ipV4(),
      fc.tuple(fc.constantFrom('10.0.0', '10.0.1'), fc.nat(255)).map((parts) => parts.join('.')),
      fc.nat(300).map((number) => `2001:db8::${number.toString(16)}`),
    );
    const range = fc.tuple(address, fc.constantFrom(8, 22, 24, 30, 32)).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.array(range, { maxLength: 8 }), address, (ranges, one) => {
        const parsed = okOf(parseIpAddress(one));
        const expected = ranges.some((text) => isInRange(parsed, okOf(parseIpRange(text))));
        expect(has(ranges, one)).to.equal(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('includes the ends of ranges, and separates the families', () => {
    expect(has(['10.0.0.0/8'], '10.255.255.255')).to.equal(true);
    expect(has(['10.0.0.0/8'], '11.0.0.0')).to.equal(false);
    expect(has(['::/0'], '10.0.0.1')).to.equal(false);
    expect(has(['::ffff:10.0.0.0/104'], '10.0.0.1')).to.equal(true);
    expect(has([], '::1')).to.equal(false);
  });
});
