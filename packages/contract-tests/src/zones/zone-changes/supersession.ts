import type { ZoneState } from '@zonewright/core';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import {
  applied,
  applying,
  backendKinds,
  enforceTwoFactor,
  type OwnedZone,
  removed,
  storedBackend,
  storedZone,
  withRules,
} from '../../arrangements/index.ts';
import { aChange, aRule, wholeList } from '../../builders/index.ts';
import { errorOf, okOf, readView, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { factsOf } from './full-zone.ts';

/** Which changes since the facts were read keep a plan from being applied. */
export function supersession(storage: () => Storage): void {
  const changes: readonly (readonly [what: string, change: (given: OwnedZone) => Promise<unknown>])[] = [
    ['the zone', ({ zone }) => runUnit(storage(), (each) => applied(each, zone.id, () => ({ banToken: 'ban_2' })))],
    [
      'the list of rules',
      ({ zone }) =>
        runUnit(storage(), (each) =>
          applied(each, zone.id, withRules({ zone: zone.id, kind: 'accessRule' }, [aRule('accessRule')])),
        ),
    ],
    ['the role of the user', ({ organizationId, userId }) => storage().setRole(organizationId, userId, 'editor')],
    [
      'the membership of the user',
      ({ organizationId, userId }) => storage().setRole(organizationId, userId, undefined),
    ],
    ['the organization', ({ organizationId }) => enforceTwoFactor(storage(), organizationId)],
    ['the existence of the zone', ({ zone }) => runUnit(storage(), (each) => removed(each, zone.id))],
  ];
  for (const [what, change] of changes) {
    it(`has no effect after a change of ${what}`, async () => {
      const owned = await storedZone(storage());
      const found = await factsOf(storage(), owned);
      await change(owned);
      const late = storage().unitOfWork.single(({ zoneChanges }) =>
        applying(zoneChanges, found, [], aChange({ banToken: 'ban_late' })),
      );
      expect(await errorOf(late)).to.deep.equal({ type: 'Superseded' });
      const { items } = await readView(storage(), ({ zones }) =>
        zones.list({ organizations: [owned.organizationId], tags: [], search: undefined }, [], wholeList),
      );
      expect(items.map(({ banToken }) => banToken)).not.to.include('ban_late');
    });
  }

  for (const kind of backendKinds) {
    it(`has no effect after a change of a backend that was looked up (${kind})`, async () => {
      const owned = await storedZone(storage());
      const backend = await storedBackend(storage(), kind, owned.organizationId);
      const found = await factsOf(storage(), owned);
      const { versions } = await readView(storage(), ({ zoneChanges }) =>
        zoneChanges.resolveReferences(owned.zone, { backends: [backend] }),
      );
      const attempt = (known: typeof versions): ResultAsync<ZoneState, { readonly type: string }> =>
        storage().unitOfWork.single(({ zoneChanges }) =>
          applying(zoneChanges, found, known, aChange({ banToken: 'ban_3' })),
        );
      for (const each of versions) {
        const older = versions.map((one) => (one === each ? { ...one, revision: one.revision - 1 } : one));
        expect(await errorOf(attempt(older)), each.kind).to.deep.equal({ type: 'Superseded' });
      }
      await okOf(attempt(versions));
    });
  }
}
