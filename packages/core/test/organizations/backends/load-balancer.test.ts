import { expect } from 'chai';
import { parse } from '../../../src/kernel/shared/parse.ts';
import {
  LoadBalancerDraft,
  loadBalancerDocument,
  originsNamedIn,
} from '../../../src/organizations/backends/load-balancer.ts';

const id = (last: number) => `0197c4e3-6f2a-7b3c-9d1e-${String(last).padStart(12, '0')}`;
const origin = (last: number, changes: object = {}) => ({ originServer: id(last), ...changes });
const origins = (count: number) => Array.from({ length: count }, (_, index) => origin(index));

const read = (changes: object) =>
  parse(LoadBalancerDraft, { name: 'Main', origins: [origin(1)], ...changes }).match(
    (draft): unknown => loadBalancerDocument(draft),
    ({ violations }) => violations.map(({ propertyPath, code }) => `${propertyPath}: ${code}`),
  );

describe('LoadBalancerDraft', () => {
  it('fills in method, weight and enabled', () => {
    expect(read({})).to.deep.equal({
      name: 'Main',
      method: 'random',
      origins: [{ originServer: id(1), weight: 1, enabled: true }],
    });
  });

  for (const method of ['random', 'round_robin', 'least_connections', 'ip_hash']) {
    it(`accepts the method ${method}`, () => {
      expect(read({ method })).to.include({ method });
    });
  }

  const accepted: readonly (readonly [what: string, changes: object])[] = [
    ['32 origins', { origins: origins(32) }],
    ['the lowest and the highest weight', { origins: [origin(1, { weight: 1 }), origin(2, { weight: 1000 })] }],
    ['origins that are all disabled', { origins: [origin(1, { enabled: false })] }],
    ['a host name', { requestHostname: 'www.example.com' }],
    ['null for no host name', { requestHostname: null }],
    ['an id in capitals', { origins: [{ originServer: id(1).toUpperCase() }] }],
  ];
  for (const [what, changes] of accepted) {
    it(`accepts ${what}`, () => {
      expect(read(changes)).to.have.property('name', 'Main');
    });
  }

  const refused: readonly (readonly [what: string, changes: object, ...violations: string[]])[] = [
    ['no name', { name: undefined }, 'name: member.required'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name: text.tooLong'],
    ['another method', { method: 'fastest' }, 'method: value.choice'],
    ['null as method', { method: null }, 'method: value.choice'],
    ['a wildcard as host name', { requestHostname: '*' }, 'requestHostname: backend.hostname.syntax'],
    ['no origins', { origins: undefined }, 'origins: member.required'],
    ['an empty list of origins', { origins: [] }, 'origins: list.tooShort'],
    ['101 origins', { origins: origins(101) }, 'origins: list.tooLong'],
    ['one origin twice', { origins: [origin(1), origin(2), origin(1)] }, 'origins[2].originServer: list.duplicate'],
    [
      'one origin twice in other case',
      { origins: [{ originServer: id(1).replace('e3', 'E3') }, origin(1)] },
      'origins[1].originServer: list.duplicate',
    ],
    ['an origin without origin server', { origins: [{}] }, 'origins[0].originServer: member.required'],
    [
      'what cannot be an id',
      { origins: [origin(1), { originServer: '/api/organizations/1/origin-servers/x' }] },
      'origins[1].originServer: loadBalancer.origin.unknown',
    ],
    ['a number as origin server', { origins: [{ originServer: 7 }] }, 'origins[0].originServer: member.type'],
    ['weight 0', { origins: [origin(1, { weight: 0 })] }, 'origins[0].weight: number.range'],
    ['weight 1001', { origins: [origin(1, { weight: 1001 })] }, 'origins[0].weight: number.range'],
    ['half a weight', { origins: [origin(1, { weight: 0.5 })] }, 'origins[0].weight: member.type'],
    ['text as enabled', { origins: [origin(1, { enabled: 'yes' })] }, 'origins[0].enabled: member.type'],
    ['an unknown member of an origin', { origins: [origin(1, { port: 80 })] }, 'origins[0].port: member.unknown'],
    ['an unknown member', { health: {} }, 'health: member.unknown'],
    [
      'several at once',
      { name: '', method: 'x', origins: [origin(1, { weight: 0, enabled: 1 })] },
      'name: text.tooShort',
      'method: value.choice',
      'origins[0].weight: number.range',
      'origins[0].enabled: member.type',
    ],
  ];
  for (const [what, changes, ...violations] of refused) {
    it(`refuses ${what}`, () => {
      expect(read(changes)).to.have.members(violations);
    });
  }
});

describe('originsNamedIn', () => {
  it('returns the origin servers of a valid list, and none of an invalid one', () => {
    expect(originsNamedIn({ origins: [origin(2), origin(1)] })).to.deep.equal([id(2), id(1)]);
    for (const patch of [{}, { origins: null }, { origins: [] }, { origins: 'x' }, { origins: [origin(1), {}] }]) {
      expect(originsNamedIn(patch)).to.deep.equal([]);
    }
  });
});
