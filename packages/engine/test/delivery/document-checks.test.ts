import { expect } from 'chai';
import { checksOf, evaluationDigest } from '../../src/delivery/document-checks.ts';
import { compileDelivered } from '../../src/delivery/stored-configuration.ts';
import { sha256 } from '../zones.ts';

const block = (name: string, value: string, operator = 'starts_with') => ({
  name,
  action: 'block',
  conditions: { logic: 'and', conditions: [{ field: 'uri', operator, value }] },
});
/** A configuration with these access rules. */
const configurationOf = (rules: Readonly<Record<string, object>>, hostnames: readonly string[] = []) => ({
  document: { zone_settings: {}, accessRules: { order: Object.keys(rules), items: rules } },
  backends: {},
  hostnames,
});
const urlsOf = (configuration: ReturnType<typeof configurationOf>) =>
  checksOf(configuration, sha256).map(({ request }) => request['url']);

describe('checksOf', () => {
  it('digests what the engine answers to each request', () => {
    const configuration = configurationOf({ a: block('Admin', '/admin/') });
    const engine = compileDelivered(configuration, { sha256 });
    if (!engine.ok) throw new Error('The configuration does not compile.');
    const checks = checksOf(configuration, sha256);
    expect(checks).to.have.lengthOf(4);
    for (const { request, sha256: digest } of checks)
      expect(evaluationDigest(engine.value, request, sha256)).to.deep.equal({ ok: true, value: digest });
  });

  it('asks for the paths in conditions, at the first host name of the zone', () => {
    expect(urlsOf(configurationOf({ a: block('Admin', '/admin/') }, ['*.example.com', 'b.example.com']))).to.include(
      'http://check.example.com/admin/',
    );
  });

  it('makes at most 20, and none of a configuration that does not compile', () => {
    const rules = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`r${index}`, block(`Rule ${index}`, `/path-${index}/`)]),
    );
    expect(urlsOf(configurationOf(rules))).to.have.lengthOf(20);
    expect(urlsOf(configurationOf({ a: block('Broken', '(', 'regex_match') }))).to.deep.equal([]);
  });
});
