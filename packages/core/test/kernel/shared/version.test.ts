import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { requireVersion } from '../../../src/kernel/shared/version.ts';

describe('requireVersion', () => {
  it('accepts every version if none is expected', () => {
    expect(requireVersion(undefined, '7')).to.deep.equal(ok());
  });

  it('accepts one of several expected versions', () => {
    expect(requireVersion(['6', '7'], '7')).to.deep.equal(ok());
  });

  it('rejects any other version and reports the current one', () => {
    const refusal = err({ type: 'VersionMismatch', current: '7' });
    expect(requireVersion(['6'], '7')).to.deep.equal(refusal);
    expect(requireVersion([], '7')).to.deep.equal(refusal);
    expect(requireVersion({ except: ['6', '7'] }, '7')).to.deep.equal(refusal);
    expect(requireVersion({ except: ['6'] }, '7')).to.deep.equal(ok());
  });
});
