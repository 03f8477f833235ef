import {
  type ChangeSet,
  ChangeSetDescription,
  ChangeSetTitle,
  maxOpenBytes,
  useCases,
  type Zone,
} from '@zonewright/core';
import { expect } from 'chai';
import { applied, type OwnedZone, storedOwner } from '../../arrangements/index.ts';
import { aZoneDraft } from '../../builders/index.ts';
import { fakePorts } from '../../fakes.ts';
import { hold } from '../../gate.ts';
import { concurrently, okOf, raceSize, readView, tally } from '../../results.ts';
import type { Storage } from '../../storage.ts';

const sha256 = () => '0'.repeat(64);
const casesOf = ({ unitOfWork }: Storage) => useCases({ unitOfWork, sha256, ...fakePorts });

type Owner = Pick<OwnedZone, 'caller' | 'organizationId'>;

const zoneOf = (storage: Storage, { caller, organizationId }: Owner): Promise<Zone> =>
  okOf(casesOf(storage).createZone(caller, { ...aZoneDraft(), organization: organizationId }));

const title = ChangeSetTitle.parse('First');
const description = ChangeSetDescription.parse('Second');
const content = { patch: { zone_settings: { cachingDefaultTtl: 60 } } };

async function drafted(storage: Storage) {
  const owner = await storedOwner(storage);
  const zone = await zoneOf(storage, owner);
  const draft = {
    title: ChangeSetTitle.parse(''),
    description: ChangeSetDescription.parse(''),
    base: undefined,
    content,
  };
  const { set } = await okOf(casesOf(storage).createChangeSet(owner.caller, zone.id, draft));
  return { ...owner, zone, set };
}

/** What the contract of change sets guarantees for concurrent writes, which are decided without locks. */
export function draftRaces(storage: () => Storage): void {
  const describing = ({ caller, zone, set }: Awaited<ReturnType<typeof drafted>>) =>
    casesOf(storage()).updateChangeSet(
      caller,
      zone.id,
      set.id,
      { title: undefined, description, content: undefined },
      undefined,
    );
  const merge = { zoneRevision: 1, isConflicted: false, characters: 1 };
  const read = ({ zoneId, id }: ChangeSet) => readView(storage(), ({ changeSets }) => changeSets.byId(zoneId, id));

  it('are decided again if the set has changed meanwhile, so that no change is lost', async () => {
    const of = await drafted(storage());
    const held = await hold(storage(), ({ changeSets }) => changeSets.save({ ...of.set, title, merge }, maxOpenBytes));
    const second = describing(of);
    await okOf(held.endBefore(second));
    await okOf(second);
    expect(await read(of.set)).to.deep.include({ title, description, revision: 3 });
  });

  it('are refused if the set has been discarded meanwhile', async () => {
    const of = await drafted(storage());
    const held = await hold(storage(), ({ changeSets }) => changeSets.discard(of.set));
    const second = describing(of);
    await okOf(held.endBefore(second));
    expect(tally([await second])).to.deep.equal({ ChangeSetClosed: 1 });
  });

  it('rebase a set on the revision that the zone has reached meanwhile', async () => {
    const { caller, zone, set } = await drafted(storage());
    const held = await hold(storage(), (each) => applied(each, zone.id, () => ({ banToken: 'ban_meanwhile' })));
    const rebasing = casesOf(storage()).rebaseChangeSet(caller, zone.id, set.id, {}, undefined);
    await okOf(held.endBefore(rebasing));
    expect((await okOf(rebasing)).set.base).to.equal(zone.revision + 1);
  });

  it('make one set of twenty equal promotions', async () => {
    const owner = await storedOwner(storage());
    const [target, source] = [await zoneOf(storage(), owner), await zoneOf(storage(), owner)];
    const { updateZone, promoteZone } = casesOf(storage());
    await okOf(updateZone(owner.caller, source.id, { zone_settings: { cachingDefaultTtl: 61 } }, undefined));
    const draft = {
      from: source.id,
      fromRevision: undefined,
      title: undefined,
      map: { backends: {}, basicAuthUsers: {} },
      keep: [],
    };
    const expected = { target: undefined, source: undefined };
    const results = await concurrently(raceSize, () => promoteZone(owner.caller, target.id, draft, expected));
    const kinds = results.map((result) => result.map(({ kind }) => kind).unwrapOr('nothing'));
    expect(kinds.toSorted((one, other) => (one < other ? -1 : 1))).to.deep.equal([
      'made',
      ...Array.from({ length: raceSize - 1 }, () => 'repeated'),
    ]);
  });
}
