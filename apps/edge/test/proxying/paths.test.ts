import { expect } from 'chai';
import { ask, openEdge, raw, type TestEdge } from '../support/edge.ts';
import { httpOrigin, type TestOrigin } from '../support/origin.ts';
import { answeredWithSecret, bypassing, guarded, guardNames, others, secret } from '../support/secret-spellings.ts';
import { originOn, servedZone } from '../support/zones.ts';

/** A path as lenient servers read it: everything is decoded, parameters of dot segments do not count. */
function readLeniently(target: string): string {
  const [path = ''] = target.split('?', 1);
  const decoded = path.replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  const segments: string[] = [];
  for (const written of decoded.split(/[/\\]/)) {
    const segment = written.replace(/^(\.\.?);.*/, '$1').replace(/\0.*/, '');
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

describe('Paths that an origin server reads in its own way', () => {
  let origin: TestOrigin;
  let edge: TestEdge;
  before(async () => {
    origin = await httpOrigin(({ target }, response) => {
      const isSecret = readLeniently(target).toLowerCase() === secret.path;
      response.writeHead(isSecret ? 200 : 404).end(isSecret ? secret.text : '');
    });
    edge = await openEdge([]);
  });
  after(async () => {
    await edge.close(0);
    await origin.close();
  });

  const spellings = [...bypassing, ...others].filter((each) => !each.includes('SECRET') && !each.includes('%25'));

  for (const guard of guardNames) {
    it(`do not lead past ${guard}`, async () => {
      edge.replace(servedZone(guarded(guard, origin.port, {})));
      expect(await answeredWithSecret(edge, spellings)).to.deep.equal([]);
      edge.replace(servedZone(guarded(guard, origin.port, { pathNormalization: 'rfc3986' })));
      expect(await answeredWithSecret(edge, spellings)).to.include.members([...bypassing]);
    });
  }

  it('are asked for as the rules saw them', async () => {
    edge.replace(servedZone({ backends: [originOn(origin.port)] }));
    origin.received.splice(0);
    for (const target of ['//a///b/', '/a/.//%2e%2e//b?c=//d', '/a%2fb/../c']) await ask(edge, target);
    await raw(edge, 'GET /a%2fb HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n');
    expect(origin.received.map(({ target }) => target)).to.deep.equal(['/a/b/', '/a/b?c=//d', '/c']);
  });
});
