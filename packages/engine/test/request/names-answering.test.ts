import { expect } from 'chai';
import { namesAnswering } from '../../src/request/authority.ts';

describe('namesAnswering', () => {
  it('has the exact name, and the wildcard for exactly the first label', () => {
    expect(namesAnswering('a.b.example.com')).to.deep.equal(['a.b.example.com', '*.b.example.com']);
    expect(namesAnswering('localhost')).to.deep.equal(['localhost']);
    expect(namesAnswering('.example.com')).to.deep.equal(['.example.com']);
  });
});
