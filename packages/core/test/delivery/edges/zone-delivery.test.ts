import { expect } from 'chai';
import { EdgeName } from '../../../src/delivery/edges/edge.ts';
import type { OfferedRevision, ServingEdge } from '../../../src/delivery/edges/ports.ts';
import { unsupportedIn } from '../../../src/delivery/edges/unsupported-settings.ts';
import { deliveryOf } from '../../../src/delivery/edges/zone-delivery.ts';
import type { HostNameDelivery } from '../../../src/organizations/domains/delivery.ts';
import type { HostName } from '../../../src/organizations/domains/dns-names.ts';
import type { ZoneState } from '../../../src/zones/zones/zone-state.ts';

const digest = (number: number): string => `sha256:${String(number).repeat(64)}`;
const noon = new Date('2026-01-01T12:00:00Z');
const later = new Date('2026-01-01T12:00:05Z');

/** The parts of a zone that delivery reads: here, revision 3. */
const stateWith = (settings: object = {}, overrides: readonly object[] = []): ZoneState =>
  ({
    zone: { id: 'z', revision: 3, settings: { value: settings, text: JSON.stringify(settings) } },
    rules: {
      configurationRule: overrides.map((settingsOverrides) => {
        const value = { settingsOverrides };
        return { content: { value, text: JSON.stringify(value) } };
      }),
    },
    // The rest of a state is not looked at.
  }) as unknown as ZoneState;

const names = (delivered: boolean): readonly HostNameDelivery[] => [
  { name: 'www.example.com' as HostName, delivered },
  { name: 'a.example.com' as HostName, delivered: false, reason: 'domain.lapsed' },
];
const offer = (given: Partial<OfferedRevision> = {}): OfferedRevision => ({
  stage: 'main',
  position: 10,
  revision: 3,
  digest: digest(3),
  isHalted: false,
  currentSince: noon,
  ...given,
});
const edge = (name: string, given: Partial<ServingEdge> = {}): ServingEdge => ({
  name: EdgeName.parse(name),
  stage: 'main',
  isConnected: true,
  applied: 10,
  rejected: undefined,
  unsupportedSettings: [],
  ...given,
});
const rejection = (of: number) => ({ id: 'z', digest: digest(of), code: 'document.check', message: 'No.' });

const delivered = (serving: readonly ServingEdge[], offered: readonly OfferedRevision[] = [offer()], isServed = true) =>
  deliveryOf(stateWith(), { serving, offered, names: names(isServed) });

describe('deliveryOf', () => {
  it('counts each edge once: current, behind, rejected or silent', () => {
    const { edges, problems } = delivered([
      edge('a'),
      edge('b', { applied: 12 }),
      edge('c', { applied: 9 }),
      edge('d', { rejected: rejection(3) }),
      edge('e', { isConnected: false }),
      edge('f', { applied: -1 }),
    ]);
    expect(edges).to.deep.equal({ total: 6, current: 2, behind: 2, rejected: 1, silent: 1 });
    expect(problems).to.deep.equal([{ edge: 'd', code: 'document.check', message: 'No.', revision: 3 }]);
  });

  it('counts nothing where no edge serves the zone', () => {
    const { edges, currentSince, problems } = delivered([]);
    expect(edges).to.deep.equal({ total: 0, current: 0, behind: 0, rejected: 0, silent: 0 });
    expect([currentSince, problems]).to.deep.equal([undefined, []]);
  });

  it('does not count a rejection of an earlier document', () => {
    const { edges, problems } = delivered([edge('a', { rejected: rejection(2) })]);
    expect([edges.current, problems]).to.deep.equal([1, []]);
  });

  it('counts edges as behind that are not offered the revision yet', () => {
    const offered = [offer({ stage: 'canary', position: 11 }), offer({ revision: 2, digest: digest(2) })];
    const { edges } = delivered([edge('a', { stage: 'canary', applied: 11 }), edge('b', { applied: 11 })], offered);
    expect(edges).to.include({ current: 1, behind: 1 });
    expect(delivered([edge('a')], []).edges).to.include({ behind: 1 });
  });

  it('counts an edge as current once it has removed a zone of which no name is delivered', () => {
    const gone = [offer({ position: 11, digest: undefined })];
    expect(delivered([edge('a'), edge('b', { applied: 11 })], gone, false).edges).to.include({ current: 1, behind: 1 });
    expect(delivered([edge('a')], [], false).edges).to.include({ current: 1 });
    expect(delivered([edge('a')], [offer()], false).edges).to.include({ behind: 1 });
  });

  it('is halted if a canary edge has rejected the revision', () => {
    expect(delivered([], [offer(), offer({ stage: 'canary', isHalted: true })]).isHalted).to.equal(true);
    expect(delivered([]).isHalted).to.equal(false);
  });

  it('says since when all connected edges have been current', () => {
    const canary = offer({ stage: 'canary', currentSince: later });
    const both = [edge('a'), edge('b', { stage: 'canary' })];
    const since = (serving: readonly ServingEdge[], offered = [canary, offer()]) =>
      delivered(serving, offered).currentSince;
    expect(since(both)).to.deep.equal(later);
    expect(since([edge('a'), edge('b', { isConnected: false, stage: 'canary' })])).to.deep.equal(noon);
    for (const [why, serving, offered] of [
      ['one is behind', [edge('a'), edge('b', { applied: 9 })], [offer()]],
      ['one rejects it', [edge('a'), edge('b', { rejected: rejection(3) })], [offer()]],
      ['all are silent', [edge('a', { isConnected: false })], [offer()]],
      ['nobody has noted it yet', both, [canary, offer({ currentSince: undefined })]],
    ] as const)
      expect(delivered(serving, offered).currentSince, why).to.equal(undefined);
  });

  it('names settings that connected edges cannot act on', () => {
    const unsupportedSettings = ['processingEsi', 'processingSsi'];
    const serving = [
      edge('a', { unsupportedSettings }),
      edge('b', { unsupportedSettings, isConnected: false }),
      edge('c'),
    ];
    const { problems } = deliveryOf(stateWith({ processingSsi: true }), {
      serving,
      offered: [offer()],
      names: names(true),
    });
    expect(problems).to.deep.equal([
      {
        edge: 'a',
        code: 'setting.unsupported',
        message: 'The edge cannot act on "processingSsi".',
        revision: 3,
      },
    ]);
  });
});

describe('unsupportedSettings', () => {
  const unsupportedSettings = ['processingEsi', 'processingSsi'];

  it('are those that the zone or a rule of it turns on', () => {
    expect(unsupportedIn(stateWith({ processingSsi: true, processingEsi: false }), unsupportedSettings)).to.deep.equal([
      'processingSsi',
    ]);
    const rules = [{ processingEsi: true }, { minifyHtml: true }];
    expect(unsupportedIn(stateWith({}, rules), unsupportedSettings)).to.deep.equal(['processingEsi']);
  });

  it('are none where nothing is turned on, or the edge can do everything', () => {
    expect(unsupportedIn(stateWith({}, [{ minifyHtml: true }]), unsupportedSettings)).to.deep.equal([]);
    expect(unsupportedIn(stateWith({ processingSsi: true }), [])).to.deep.equal([]);
  });
});
