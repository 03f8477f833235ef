import {
  type AnalysedConfiguration,
  type Analyses,
  type DocumentChecks,
  storedDocument,
  type ZoneDocument,
} from '@zonewright/core';
import { expect } from 'chai';
import { okOf, rejectionOf } from '../results.ts';

/** Opens an adapter that must be closed. */
type OpenAnalyses = () => Analyses & DocumentChecks & { close(): Promise<void> };

const block = (name: string, value: string) => ({
  name,
  action: 'block',
  conditions: { logic: 'and', conditions: [{ field: 'uri', operator: 'starts_with', value }] },
});

/** A document as stored, whatever its shape. */
const stored = (document: object): ZoneDocument => storedDocument<ZoneDocument>(JSON.stringify(document)).value;

/** A zone with an unreachable rule, as an early document format. */
const coveredRule: AnalysedConfiguration = {
  document: stored({
    zone_settings: {},
    accessRules: { order: ['a', 'b'], items: { a: block('Blog', '/blog/'), b: block('Posts', '/blog/posts/') } },
  }),
  backends: { originServers: [], loadBalancers: [] },
};

/** Every adapter of `Analyses` must pass this unchanged. */
export function analysesContract(adapter: string, open: OpenAnalyses): void {
  describe(`Analyses contract: ${adapter}`, () => {
    let analyses: ReturnType<OpenAnalyses>;
    beforeEach(() => {
      analyses = open();
    });
    afterEach(() => analyses.close());

    it('returns findings over all requests', async () => {
      const { complete, findings } = await okOf(analyses.findings(coveredRule));
      expect(complete).to.equal(true);
      expect(findings.map(({ code, rules }) => [code, ...rules])).to.deep.equal([
        ['rule.unreachable', { list: 'accessRules', id: 'b' }, { list: 'accessRules', id: 'a' }],
      ]);
    });

    it('compares two configurations', async () => {
      const before = { ...coveredRule, document: { zone_settings: {} } };
      const { complete, changes } = await okOf(analyses.behaviour({ before, after: coveredRule }));
      expect(complete).to.equal(true);
      expect(changes.map(({ key, because }) => [key, because])).to.deep.equal([
        ['answer', { before: [], after: [{ list: 'accessRules', id: 'a' }] }],
      ]);
      const same = await okOf(analyses.behaviour({ before, after: before }));
      expect(same).to.include({ harmless: true, message: 'No request is treated differently. This is proven.' });
    });

    it('makes the checks of an edge document', async () => {
      const configuration = { document: coveredRule.document, backends: {}, hostnames: ['www.example.com'] };
      const checks = await okOf(analyses.checks(configuration));
      expect(checks).to.have.lengthOf(5);
      for (const { request, sha256 } of checks) {
        expect(request['url']).to.match(/^https?:\/\/www\.example\.com\//);
        expect(sha256).to.match(/^[0-9a-f]{64}$/);
      }
    });

    it('rejects an unreadable configuration, and answers the next question', async () => {
      const unreadable = { ...coveredRule, document: stored({ accessRules: 1 }) };
      expect(await rejectionOf(analyses.findings(unreadable)))
        .to.be.an('error')
        .with.property('message')
        .that.includes('unreadable');
      await okOf(analyses.findings(coveredRule));
    });
  });
}
