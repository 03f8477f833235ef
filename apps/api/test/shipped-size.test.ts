import { expect } from 'chai';
import { restatements, shippedSize } from './abuse/shipped-size.ts';

describe('The memory of a process as shipped', () => {
  it('is one figure in the unit, the container and the documents', () => {
    expect(shippedSize.limit).to.be.above(shippedSize.heap);
    for (const figures of restatements()) expect(figures).to.deep.equal(shippedSize);
  });
});
