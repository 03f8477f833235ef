import { expect } from 'chai';
import type { Canary, PendingChange } from '../../../src/delivery/edges/ports.ts';
import { promotable } from '../../../src/delivery/edges/roll-out.ts';
import { OrganizationId, ZoneId } from '../../../src/kernel/shared/ids.ts';

const id = ZoneId.parse('0190a000-0000-7000-8000-000000000001');
const organizationId = OrganizationId.parse(1);
const soakSeconds = 30;

const change = (given: Partial<PendingChange> = {}): PendingChange => ({
  id,
  tag: 'prod',
  organizationId,
  position: 7,
  isHalted: false,
  soakedSeconds: 31,
  ...given,
});
const canary = (given: Partial<Canary> = {}): Canary => ({ tags: [], organizations: [], applied: 7, ...given });

describe('promotable', () => {
  const isPromotable = (pending: PendingChange, ...canaries: readonly Canary[]) =>
    promotable([pending], canaries, soakSeconds).length === 1;

  it('waits until every canary edge has applied the change', () => {
    expect(isPromotable(change(), canary(), canary({ applied: 8 }))).to.equal(true);
    expect(isPromotable(change(), canary(), canary({ applied: 6 }))).to.equal(false);
  });

  it('waits until canary edges have served it for a while', () => {
    expect(isPromotable(change({ soakedSeconds: 29 }), canary())).to.equal(false);
    expect(isPromotable(change({ soakedSeconds: 30 }), canary())).to.equal(true);
    expect(isPromotable(change({ soakedSeconds: undefined }), canary())).to.equal(false);
  });

  it('waits for nobody without a canary edge that serves the zone', () => {
    const fresh = change({ soakedSeconds: undefined });
    expect(isPromotable(fresh)).to.equal(true);
    expect(isPromotable(fresh, canary({ tags: ['stage'] }))).to.equal(true);
    expect(isPromotable(fresh, canary({ organizations: [OrganizationId.parse(2)] }))).to.equal(true);
    expect(isPromotable(fresh, canary({ tags: ['prod'], organizations: [organizationId] }))).to.equal(false);
  });

  it('never promotes what a canary edge has rejected', () => {
    expect(isPromotable(change({ isHalted: true }))).to.equal(false);
  });
});
