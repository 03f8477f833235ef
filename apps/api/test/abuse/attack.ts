import { expect } from 'chai';
import { aVerifiedUser, aZone, type User, type ZoneBody } from '../support/arrange.ts';
import { openService, type TestService } from '../support/service.ts';
import { flood, type Probes, probe, type Victims } from './flood.ts';
import { expensiveRules, largePages } from './largest-zone.ts';
import type { Flood } from './recipe.ts';

const usualConnections = 12;
/** For requests that take half a second of computing each: every one that was sent is answered. */
export const fewConnections = 4;
const milliseconds = 250;

/** What the attacker, another user and health checks got meanwhile. */
export type Flooded = Probes & { readonly flooded: Probes['victim'] };

/** A service with an account that floods it. */
export interface Attack {
  /** The attacker's zone, which is large. */
  readonly zone: () => string;
  readonly meanwhile: (method: string, next: Flood, connections?: number) => Promise<Flooded>;
}

/** Starts the service before the tests of the calling suite, and stops it afterwards. */
export function attackOn(): Attack {
  let service: TestService;
  let attacker: User;
  let victims: Victims;
  let zone: ZoneBody;

  before(async () => {
    service = await openService({}, { threadLimits: {} });
    attacker = await aVerifiedUser(service);
    const [victim, asker] = [await aVerifiedUser(service), await aVerifiedUser(service)];
    victims = { victim, asker, zone: (await aZone(asker)).id };
    zone = await aZone(attacker);
    const rules = expensiveRules('accessRules', 8);
    const listed = await attacker.put(`/api/zones/${zone.id}/access-rules`, rules, { 'if-match': '*' });
    expect(listed.status, listed.text).to.equal(200);
    for (const number of [1, 2])
      await attacker.patch(`/api/zones/${zone.id}`, { zone_settings: largePages(number, 1) });
  });
  after(() => service.close());

  return {
    zone: () => zone.id,
    meanwhile: async (method, next, connections = usualConnections) => {
      const probes = probe(service.url, victims);
      const target = { url: service.url, method, next };
      const { token } = attacker;
      const flooded = await flood(target, { tokens: [token, token] }, { connections, milliseconds });
      return { flooded, ...(await probes.stop()) };
    },
  };
}

/** The attacker waits for their own requests; others wait for none of them. */
export function expectOrder({ flooded, health, victim: other }: Flooded): void {
  expect(Object.keys(other.statuses)).to.deep.equal(['200']);
  expect(Object.keys(health.statuses)).to.deep.equal(['200']);
  expect(other.p50).to.be.below(flooded.p50);
  expect(['200', '201', '422', '429', '503']).to.include.members(Object.keys(flooded.statuses));
}
