import { parseConfiguration } from '@zonewright/engine';
import { okOf } from '../../engine/test/outcomes.ts';
import { all, documentOf, originServer, type ZoneDraft } from '../../engine/test/zones.ts';

const redirects = (rule: (at: number) => object): ZoneDraft => ({
  rewrites: Array.from({ length: 300 }, (_, at) => ({ type: 'redirect', statusCode: 301, ...rule(at) })),
});

/** Zones with 300 redirects each, as people bring them from other products. */
const zones: Readonly<Record<string, ZoneDraft>> = {
  'paths to paths': redirects((at) => ({ operator: 'equals', sourcePattern: `/old/${at}`, target: `/new/${at}` })),
  'paths to other hosts': redirects((at) => ({
    operator: 'equals',
    sourcePattern: `/old/${at}`,
    target: `https://shop${at % 20}.example.com/new/${at}`,
  })),
  beginnings: redirects((at) => ({ operator: 'starts_with', sourcePattern: `/old-${at}/`, target: `/new-${at}/` })),
  'patterns that are literals': redirects((at) => ({
    operator: 'regex',
    sourcePattern: `^/old/${at}[.]html$`,
    target: `/new/${at}`,
  })),
  'paths of one host': redirects((at) => ({
    operator: 'equals',
    sourcePattern: `/old/${at}`,
    target: `/new/${at}`,
    conditions: all('host equals www.example.org'),
  })),
};

/** The configurations of these zones. */
export const manyRedirects = Object.entries(zones).map(([name, draft]) => ({
  name,
  configuration: okOf(parseConfiguration(documentOf(draft), { originServers: [originServer] })),
}));
