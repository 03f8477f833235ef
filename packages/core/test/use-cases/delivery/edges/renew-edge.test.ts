import { administration, EdgeName, StateReport, useCases } from '@zonewright/core';
import { expect } from 'chai';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { noClient, operator } from '../../../support/people.ts';
import { auditActionsIn } from '../../../support/traces.ts';
import { aWorld } from '../../../support/world.ts';

const draft = { name: EdgeName.parse('local'), tags: [], organizations: [], stage: 'main' } as const;

const aReport = (startedAt: string): StateReport =>
  StateReport.parse({
    version: '1.0.0',
    semantics: 2,
    startedAt,
    zones: { applied: 0, rejected: [] },
    purged: 0,
    proxy: { kind: 'none', version: '' },
    unsupportedSettings: [],
  });

/** The ways of an edge from a start of its program to its reports. */
const aPlace = () => {
  const world = aWorld();
  const { renewEdge, listEdges } = administration(world);
  const { enrolEdge, reportEdgeState } = useCases(world);
  const renew = (key?: string) => valueOf(renewEdge(operator, draft, key));
  const enrol = async (token = '') => (await valueOf(enrolEdge(token, noClient))).key;
  const readerOf = async (key: string) => {
    const hash = world.tokenHashes.of(key);
    return (await valueOf(world.unitOfWork.run(({ edges }) => edges.byKeys([hash])))).get(hash);
  };
  const report = async (key: string, startedAt: string) =>
    refusalOf(reportEdgeState((await readerOf(key)) ?? expect.fail('No edge has the key.'), aReport(startedAt)));
  const ids = async () => (await valueOf(listEdges())).map(({ id }) => id);
  return { world, readerOf, renew, enrol, report, ids };
};

describe('renewEdge', () => {
  it('lets an edge with a good key go on, and its new process report at once', async () => {
    const { world, renew, enrol, report, ids } = aPlace();
    const key = await enrol(await renew());
    expect(await report(key, 'first')).to.deep.equal(['accepted']);
    expect(await report(key, 'second')).to.deep.equal(['EdgeKeyInUse']);
    const before = await ids();
    expect(await renew(key)).to.equal(undefined);
    expect(await report(key, 'second')).to.deep.equal(['accepted']);
    expect(await ids()).to.deep.equal(before);
    expect(auditActionsIn(world)).to.deep.equal(['edge.added', 'edge.enrolled']);
  });

  it('enrols an edge anew under its name if its key is lost', async () => {
    const { world, readerOf, renew, enrol, report, ids } = aPlace();
    const lost = await enrol(await renew());
    const key = await enrol(await renew());
    expect(await report(key, 'second')).to.deep.equal(['accepted']);
    expect(await readerOf(lost)).to.equal(undefined);
    expect(await ids()).to.have.length(1);
    expect(auditActionsIn(world).slice(2)).to.deep.equal(['edge.removed', 'edge.added', 'edge.enrolled']);
  });

  it('enrols an edge whose key is of another database', async () => {
    const { renew, enrol, report } = aPlace();
    const other = aPlace();
    await other.enrol(await other.renew());
    const stranger = await other.enrol(await other.renew());
    expect(await report(await enrol(await renew(stranger)), 'first')).to.deep.equal(['accepted']);
  });
});
