import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { compileDelivered, evaluationDigest, jsonDigest, parseFacts, protectingFacts } from '../../src/index.ts';
import { okOf } from '../outcomes.ts';
import { all, documentOf, engineOf, originServer, sha256 } from '../zones.ts';

const delivered = (id: string, members: object = {}) => ({
  [id]: { ...originServer, kind: 'origin_server', organization: '/api/organizations/1', ...members },
});
const facts = okOf(parseFacts({ url: 'https://a.example/x' }));

describe('compileDelivered', () => {
  it('gives the answers of the configuration with the same backends', () => {
    const draft = { access: [{ conditions: all('uri starts_with /admin'), action: 'block' }] };
    const engine = okOf(compileDelivered({ document: documentOf(draft), backends: delivered('origin-1') }, { sha256 }));
    expect(engine.evaluate(facts)).to.deep.equal(engineOf(draft).evaluate(facts));
  });

  it('reads the origin servers of load balancers from their addresses', () => {
    const balancer = {
      kind: 'load_balancer',
      method: 'random',
      origins: [
        { originServer: '/api/organizations/1/origin-servers/s1', weight: 3, enabled: true },
        { originServer: '/api/organizations/1/origin-servers/s2', weight: 1, enabled: false },
      ],
    };
    const document = documentOf({ settings: { defaultBackend: { type: 'load_balancer', id: 'b' } } });
    const backends = { ...delivered('s1', { port: 8080 }), ...delivered('s2'), b: balancer };
    const { origin } = okOf(compileDelivered({ document, backends }, { sha256 })).evaluate(facts);
    expect(origin?.servers?.map(({ originServer: id, port, weight }) => [id, port, weight])).to.deep.equal([
      ['s1', 8080, 3],
    ]);
  });

  it('reports backends that it cannot read', () => {
    const outcome = compileDelivered({ document: documentOf({}), backends: { a: { kind: 'other' } } }, { sha256 });
    expect(outcome.ok ? [] : outcome.error.map(({ path }) => path)).to.deep.equal(['backends.a.kind']);
  });
});

describe('protectingFacts', () => {
  const conditions = all('country equals DE');

  it('names what enabled access rules and scenarios look at', () => {
    const scenario = { filter: all('asn equals 64500'), type: 'leaky' };
    const document = documentOf({ access: [{ conditions, action: 'block' }], scenarios: [scenario] });
    expect(protectingFacts(document)).to.deep.equal(['country', 'asn']);
  });

  it('leaves out disabled rules and rules that protect nothing', () => {
    const rules = [{ conditions, settingsOverrides: { cachingDefaultTtl: 5 } }];
    const document = documentOf({ access: [{ conditions, action: 'block', enabled: false }], rules });
    expect(protectingFacts(document)).to.deep.equal([]);
  });
});

describe('evaluationDigest', () => {
  const engine = engineOf({ access: [{ conditions: all('uri equals /é'), action: 'block' }] });

  it('is the digest of the evaluation in canonical JSON', () => {
    expect(evaluationDigest(engine, { url: 'https://a.example/x' }, sha256)).to.deep.equal({
      ok: true,
      value: jsonDigest(engine.evaluate(facts), sha256),
    });
  });

  it('reports facts that it cannot read', () => {
    const outcome = evaluationDigest(engine, { url: 'ftp://a.example/' }, sha256);
    expect(outcome.ok ? [] : outcome.error.map(({ path }) => path)).to.deep.equal(['url']);
  });

  it('hashes texts as UTF-8', () => {
    const expected = createHash('sha256').update('{"a":"é"}', 'utf8').digest('hex');
    expect(jsonDigest({ a: 'é' }, sha256)).to.equal(expected);
  });
});
