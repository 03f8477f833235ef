import { expect } from 'chai';
import { retryDelaySeconds } from '../../../src/accounts/mailing/deliver-next-mail.ts';

describe('retryDelaySeconds', () => {
  it('doubles from 10 seconds and never exceeds an hour', () => {
    const delays = Array.from({ length: 12 }, (_, index) => retryDelaySeconds(index + 1));
    expect(delays).to.deep.equal([10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600]);
  });

  it('stays at an hour however many deliveries were attempted', () => {
    expect(retryDelaySeconds(1000)).to.equal(3600);
    expect(retryDelaySeconds(2000)).to.equal(3600);
  });
});
