import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runSteps, type Step } from './readme-support.ts';
import { clientOf } from './support/client.ts';
import { tokenIn } from './support/mailbox.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** The page's commands in order, each with its heading. */
function stepsOf(page: string): readonly Step[] {
  const steps: Step[] = [];
  let heading = '';
  for (const [, title, script] of page.matchAll(
    /<h[12][^>]*>([^<]*)<|<pre class="command"><code>([^]*?)<\/code><\/pre>/g,
  )) {
    if (title !== undefined) heading = title;
    else steps.push({ heading, script: textOf(script ?? '') });
  }
  return steps;
}

describe('the commands of the guide on /api/docs', function () {
  this.timeout(60_000);
  let service: MemoryService;
  let folder: string;
  let page: string;
  let printed: ReadonlyMap<string, string>;

  before(async () => {
    service = await openMemoryService();
    folder = mkdtempSync(join(tmpdir(), 'zonewright-docs-'));
    page = await (await fetch(`${service.url}/api/docs`)).text();
    const [names, register, ...rest] = stepsOf(page);
    if (names === undefined || register === undefined) throw new Error('The guide has lost its commands.');
    const here = { heading: 'here', script: `cd '${folder}'` };
    await runSteps([here, names, register], {});
    const token = tokenIn(await service.mails.nextMailTo('ada@example.com'));
    await clientOf(service.url).post('/api/auth/verify-email', { token });
    printed = await runSteps([here, names, ...rest], {});
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service.close();
  });

  const linesOf = (heading: string): readonly string[] => printed.get(heading)?.split('\n') ?? [];

  it('need no replacements: they refer to this service', () => {
    expect(stepsOf(page)[0]?.script).to.include(`base=${service.url}\n`);
  });

  it('show the profile and an API token under "Authenticate"', () => {
    expect(printed.get('Authenticate')).to.include('"email":"ada@example.com"').and.to.include('"plainToken":"zw_');
  });

  it('show the created and changed zone under "Create a zone"', () => {
    const times = printed.get('Create a zone')?.match(/"cachingDefaultTtl":\d+/g);
    expect(times).to.deep.equal(['"cachingDefaultTtl":3600', '"cachingDefaultTtl":7200']);
  });

  it('show the new positions and the ordered rules under "Order rules"', () => {
    const [positions, ...names] = linesOf('Order rules');
    expect(positions).to.match(/^"[\w-]+";order=1, "[\w-]+";order=2$/);
    expect(names).to.deep.equal(['"name":"Never cache the cart"', '"name":"Keep the blog for a day"']);
  });

  it('show the problem document that the page shows under "Handle errors"', () => {
    const [, shown = ''] = /<pre class="answer"><code>([^]*?)<\/code>/.exec(page) ?? [];
    expect(JSON.parse(printed.get('Handle errors') ?? '')).to.deep.equal(JSON.parse(textOf(shown)));
  });

  it('show every page under "Page through lists"', () => {
    expect(linesOf('Page through lists')).to.deep.equal([
      '"name":"Never cache the cart"',
      '"name":"Keep the blog for a day"',
    ]);
  });

  it('show one creation, one change and the deletion under "Retry safely"', () => {
    const [first = '', second, ...rest] = linesOf('Retry safely');
    expect(first).to.match(/^201 \/api\/zones\/[\w-]+\/configuration-rules\/[\w-]+ $/);
    expect(second).to.equal(`${first}true`);
    expect(rest).to.deep.equal(['200', '412', '204']);
  });
});
