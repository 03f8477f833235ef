import { expect } from 'chai';
import { backendKind, backendTypes } from '../../../src/organizations/backends/backend-reference.ts';

describe('backendKind', () => {
  it('treats origin as an alias of origin_server', () => {
    expect(backendTypes.map((type) => backendKind({ type }))).to.deep.equal([
      'origin_server',
      'load_balancer',
      'origin_server',
    ]);
  });
});
