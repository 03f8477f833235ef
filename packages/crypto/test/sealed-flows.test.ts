import { randomBytes } from 'node:crypto';
import { flowLifetimeSeconds, ProviderId, ReturnPath, type SignInFlow } from '@zonewright/core';
import { expect } from 'chai';
import { aesSecretBox, sealedFlows } from '../src/index.ts';

const flow: SignInFlow = {
  provider: ProviderId.parse('corp'),
  returnTo: ReturnPath.parse(`/${'a'.repeat(999)}`),
  linking: undefined,
  state: 'a'.repeat(43),
  nonce: 'b'.repeat(43),
  codeVerifier: 'c'.repeat(43),
};

describe('sealedFlows', () => {
  const box = aesSecretBox({ current: 'one', keys: new Map([['one', new Uint8Array(randomBytes(32))]]) });

  it('opens what it has sealed, for ten minutes', () => {
    let now = Date.UTC(2030, 0, 1);
    const flows = sealedFlows(box, () => new Date(now));
    const sealed = flows.seal(flow);
    now += flowLifetimeSeconds * 1000 - 1;
    expect(flows.open(sealed)).to.deep.include({ provider: 'corp', state: flow.state });
    now += 1;
    expect(flows.open(sealed)).to.equal(undefined);
  });

  it('makes values that fit into a cookie and show nothing of the flow', () => {
    const sealed = sealedFlows(box).seal(flow);
    expect(sealed).to.match(/^[\w.-]{100,3500}$/);
    expect(sealed).not.to.include(flow.state);
  });

  it('opens nothing that was altered, made up, or sealed for something else', () => {
    const flows = sealedFlows(box);
    const sealed = flows.seal(flow);
    for (const other of [
      `${sealed.slice(0, -2)}AA`,
      '',
      'v1.one',
      box.seal(JSON.stringify({ flow, sealedAt: Date.now() }), 'other'),
    ]) {
      expect(flows.open(other)).to.equal(undefined);
    }
  });
});
