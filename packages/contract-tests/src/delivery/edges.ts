import { type EdgeName, type NewEdge, ZoneId } from '@zonewright/core';
import { expect } from 'chai';
import { anEdge, aReport, changesFor, publishAll, reported, storedEdge, storedHost } from '../arrangements/edges.ts';
import { aTokenHash, uuid } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { expectOneWinner } from '../races.ts';
import { errorOf, okOf, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const edgesContract = contract('Edges contract', (storage) => {
  describe('add, list and byName', () => addition(storage));
  describe('enrol and byKeys', () => enrolment(storage));
  describe('drain and remove', () => removal(storage));
});

function addition(storage: () => Storage): void {
  it('adds an edge that has not enrolled, once under each name', async () => {
    const edge = anEdge({ tags: ['prod'], stage: 'canary' });
    const { tokenHash: _, lifetimeSeconds: __, ...members } = edge;
    const { createdAt, ...added } = await runUnit(storage(), ({ edges }) => edges.add(edge));
    expect(added).to.deep.equal({ ...members, isDraining: false, enrolledAt: undefined });
    const again = storage().unitOfWork.run(({ edges }) => edges.add(anEdge({ name: edge.name })));
    expect(await errorOf(again)).to.deep.equal({ type: 'EdgeNameTaken' });
    const listed = await readView(storage(), ({ edges }) => edges.list());
    expect(listed).to.deep.equal([{ ...added, createdAt, state: undefined }]);
    expect(await readView(storage(), ({ edges }) => edges.byName(edge.name))).to.deep.equal(listed[0]);
  });
}

function enrolment(storage: () => Storage): void {
  const enrol = ({ tokenHash }: NewEdge, key = aTokenHash()) =>
    storage().unitOfWork.run(({ edges }) => edges.enrol(tokenHash, key));

  it('gives the key to one of twenty uses of a token', async () => {
    const edge = anEdge();
    await runUnit(storage(), ({ edges }) => edges.add(edge));
    await expectOneWinner('EnrolmentTokenInvalid', () => enrol(edge));
  });

  it('refuses an expired token', async () => {
    const edge = anEdge({ lifetimeSeconds: 100 });
    await runUnit(storage(), ({ edges }) => edges.add(edge));
    await storage().passTime(101);
    expect(await errorOf(enrol(edge))).to.deep.equal({ type: 'EnrolmentTokenInvalid' });
  });

  it('finds the edge by its key, until it is removed', async () => {
    const [edge, key] = [anEdge(), aTokenHash()];
    await runUnit(storage(), ({ edges }) => edges.add(edge));
    expect(await okOf(enrol(edge, key))).to.deep.equal({ id: edge.id, name: edge.name });
    const { id, name, stage, tags, organizations } = edge;
    const byKeys = () => readView(storage(), ({ edges }) => edges.byKeys([aTokenHash(), key]));
    expect([...(await byKeys())]).to.deep.equal([[key, { id, name, stage, tags, organizations }]]);
    await runUnit(storage(), ({ edges }) => edges.remove(name));
    expect((await byKeys()).size).to.equal(0);
  });
}

function removal(storage: () => Storage): void {
  it('drains an edge and takes it back', async () => {
    const { name } = await storedEdge(storage());
    const isDraining = async () => (await readView(storage(), ({ edges }) => edges.byName(name))).isDraining;
    await runUnit(storage(), ({ edges }) => edges.drain(name, true));
    expect(await isDraining()).to.equal(true);
    await runUnit(storage(), ({ edges }) => edges.drain(name, false));
    expect(await isDraining()).to.equal(false);
  });

  it('removes an edge with its state once', async () => {
    const edge = await storedEdge(storage());
    await reported(storage(), edge);
    const remove = (name: EdgeName) => storage().unitOfWork.run(({ edges }) => edges.remove(name));
    await okOf(remove(edge.name));
    expect(await errorOf(remove(edge.name))).to.deep.equal({ type: 'EdgeNotFound' });
  });
}

/** Every adapter of the port must pass this unchanged. */
export const edgeStatesContract = contract('EdgeStates contract', (storage) => {
  const record = ({ id }: NewEdge, startedAt: string) =>
    storage().unitOfWork.run(({ edgeStates }) => edgeStates.record(id, aReport({ startedAt }), 45));

  it('replaces the report of an edge', async () => {
    const edge = await storedEdge(storage());
    const rejected = { id: uuid(), digest: `sha256:${'0'.repeat(64)}`, code: 'document.check', message: 'No.' };
    await reported(storage(), edge, { zones: { applied: 7, rejected: [rejected] } });
    await reported(storage(), edge, {
      zones: { applied: 8, rejected: [rejected] },
      unsupportedSettings: ['processingEsi'],
    });
    const { state } = await readView(storage(), ({ edges }) => edges.byName(edge.name));
    expect(state?.zones).to.deep.equal({ applied: 8, rejected: [rejected] });
    expect(state?.unsupportedSettings).to.deep.equal(['processingEsi']);
    expect(state?.position).to.equal(undefined);
  });

  it('refuses a second process with a key while the first reports', async () => {
    const edge = await storedEdge(storage());
    await okOf(record(edge, 'first'));
    await storage().passTime(40);
    expect(await errorOf(record(edge, 'second'))).to.deep.equal({ type: 'EdgeKeyInUse' });
    await okOf(record(edge, 'first'));
    await storage().passTime(46);
    await okOf(record(edge, 'second'));
    expect(await errorOf(record(edge, 'first'))).to.deep.equal({ type: 'EdgeKeyInUse' });
  });

  it('lets a later process with the same state take over at once, but no earlier one and none with another state', async () => {
    const edge = await storedEdge(storage());
    const [stateId, elsewhere] = [uuid(), uuid()];
    const reports = (startedAt: string, id: string | undefined) =>
      storage().unitOfWork.run(({ edgeStates }) => edgeStates.record(edge.id, aReport({ startedAt, stateId: id }), 45));
    await okOf(reports('2026-01-01T00:00:00.000Z', stateId));
    await okOf(reports('2026-01-01T00:00:01.000Z', stateId));
    for (const [startedAt, id] of [
      ['2026-01-01T00:00:00.000Z', stateId],
      ['2026-01-01T00:00:02.000Z', elsewhere],
      ['2026-01-01T00:00:02.000Z', undefined],
    ] as const)
      expect(await errorOf(reports(startedAt, id)), id).to.deep.equal({ type: 'EdgeKeyInUse' });
  });

  it('lets another process report once the first is forgotten', async () => {
    const [edge, other] = [await storedEdge(storage()), await storedEdge(storage())];
    for (const each of [edge, other]) await okOf(record(each, 'first'));
    await runUnit(storage(), ({ edgeStates }) => edgeStates.forget(edge.id));
    const { state } = await readView(storage(), ({ edges }) => edges.byName(edge.name));
    expect(state).to.equal(undefined);
    await okOf(record(edge, 'second'));
    expect(await errorOf(record(other, 'second'))).to.deep.equal({ type: 'EdgeKeyInUse' });
  });

  it('shows the edges that serve a zone, with what they reject of it', async () => {
    const { zone } = await storedHost(storage());
    const edge = await storedEdge(storage(), { tags: ['prod'] });
    await storedEdge(storage(), { tags: ['stage'] });
    const draining = await storedEdge(storage());
    await runUnit(storage(), ({ edges }) => edges.drain(draining.name, true));
    await publishAll(storage());
    const { end } = await changesFor(storage());
    const rejected = { id: zone.id, digest: `sha256:${'0'.repeat(64)}`, code: 'document.check', message: 'No.' };
    const serving = () => readView(storage(), ({ edgeStates }) => edgeStates.serving(zone, 90));
    const { name, stage } = edge;
    const silent = { name, stage, isConnected: false, applied: -1, rejected: undefined, unsupportedSettings: [] };
    expect(await serving()).to.deep.equal([silent]);
    const others = { ...rejected, id: ZoneId.parse(uuid()) };
    await reported(storage(), edge, { position: end, zones: { applied: 1, rejected: [others, rejected] } });
    const applied = end.number;
    expect(await serving()).to.deep.equal([{ ...silent, isConnected: true, applied, rejected }]);
    await storage().passTime(91);
    expect(await serving()).to.deep.equal([{ ...silent, applied, rejected }]);
  });

  it('does not count a position that it does not know', async () => {
    const { zone } = await storedHost(storage());
    const edge = await storedEdge(storage());
    await publishAll(storage());
    const { end } = await changesFor(storage());
    await reported(storage(), edge, { position: { ...end, nonce: '0190a000-0000-4000-8000-000000000000' } });
    const [first] = await readView(storage(), ({ edgeStates }) => edgeStates.serving(zone, 90));
    expect(first?.applied).to.equal(-1);
  });
});
