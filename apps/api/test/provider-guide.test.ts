import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProviderEntry, readProviders } from '@zonewright/configuration';
import { federation } from '@zonewright/federation';
import { expect } from 'chai';
import { Provider } from 'oidc-provider';
import { clientOf, cookieValue } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const guide = readFileSync(new URL('../../../docs/sign-in-with-a-provider.md', import.meta.url), 'utf8');
const blocks = (language: string): readonly string[] =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text);

/** Follows redirects like a browser, and fills in the forms of the provider, until it comes back to `destination`. */
async function browse(from: string, destination: string): Promise<string> {
  const cookies = new Map<string, string>();
  let [address, form]: [string, URLSearchParams | undefined] = [from, undefined];
  for (let step = 1; step <= 15; step += 1) {
    if (address.startsWith(destination)) return address;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = form === undefined ? {} : { method: 'POST', body: form };
    const response = await fetch(address, { redirect: 'manual', headers: { cookie }, ...sent });
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get('location');
    const page = await response.text();
    if (next !== null) [address, form] = [new URL(next, address).href, undefined];
    else [address, form] = filledIn(page, address);
  }
  throw new Error(`The browser is still at ${address}.`);
}

function filledIn(page: string, address: string): [string, URLSearchParams] {
  const [, action = ''] = /<form[^>]*action="([^"]+)"/.exec(page) ?? [];
  const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(page) ?? [];
  if (action === '' || prompt === '') throw new Error(`There is no form at ${address}: ${page.slice(0, 300)}`);
  return [new URL(action, address).href, new URLSearchParams({ prompt, login: 'ada', password: 'any' })];
}

/** The guide, with an OpenID provider that is not ours. */
describe('docs/sign-in-with-a-provider.md', () => {
  let server: Server;
  let service: MemoryService;
  let folder: string;
  let callback: string;

  before(async () => {
    server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A listening TCP server has an address with a port.
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    folder = mkdtempSync(join(tmpdir(), 'provider-guide-'));
    const [entry] = providersIn(blocks('json')[0] ?? '', issuer);
    if (entry === undefined) throw new Error('The guide has no provider.');
    service = await openMemoryService({}, undefined, {
      // The address of the service is known once it is open.
      ...federation([entry], { callbackUrl: (id) => `${service.url}/api/auth/providers/${id}/callback` }),
    });
    const [, path = ''] = /`https:\/\/zonewright\.example(\/api[^`]+callback)`/.exec(guide) ?? [];
    callback = `${service.url}${path}`;
    const answer = openIdProvider(issuer, entry, callback).callback();
    server.on('request', (request, response) => void answer(request, response));
  });
  after(async () => {
    await service.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });

  /** Reads the file of the guide as the service does. */
  function providersIn(text: string, issuer: string): readonly ProviderEntry[] {
    const file = join(folder, 'providers.json');
    const [, mode = ''] = /chmod (\d+)/.exec(blocks('sh')[0] ?? '') ?? [];
    writeFileSync(file, text.replace('https://login.example.com', issuer), { mode: Number.parseInt(mode, 8) });
    return readProviders(file, { production: false }).match(
      (providers) => providers,
      (errors) => {
        throw new Error(JSON.stringify(errors));
      },
    );
  }

  function openIdProvider(issuer: string, { clientId, clientSecret }: ProviderEntry, redirectUri: string): Provider {
    return new Provider(issuer, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
      cookies: { keys: ['only for this test'] },
      claims: { email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
      findAccount: (_, accountId) => ({
        accountId,
        claims: () => ({
          sub: accountId,
          email: `${accountId}@example.com`,
          email_verified: true,
          given_name: 'Ada',
          family_name: 'Lovelace',
        }),
      }),
    });
  }

  const startPath = () => /zonewright\.example(\/api\S+\/start)/.exec(guide)?.[1] ?? '';

  /** Signs in, and returns to the service. */
  async function signIn() {
    const browser = clientOf(service.url);
    const begun = await browser.get(startPath());
    const returned = await browse(begun.headers.get('location') ?? '', callback);
    const cookie = `__Host-sign_in_flow=${cookieValue(begun, '__Host-sign_in_flow')}`;
    return browser.get(returned.replace(service.url, ''), { cookie });
  }

  it('lists the provider', async () => {
    const reply = await clientOf(service.url).get('/api/auth/providers');
    expect(reply.json()).to.deep.equal(JSON.parse(blocks('json')[1] ?? ''));
  });

  it('signs in with a new account, and again with the same one', async () => {
    const ids = [];
    for (let time = 1; time <= 2; time += 1) {
      const reply = await signIn();
      expect([reply.status, reply.headers.get('location')]).to.deep.equal([303, '/']);
      const authorization = `Bearer ${cookieValue(reply, '__Host-access_token')}`;
      const me = (await clientOf(service.url, { authorization }).get('/api/users/me')).json() as {
        readonly id: string;
      };
      expect(me).to.deep.include({ email: 'ada@example.com', firstName: 'Ada', connectedProviders: ['corp'] });
      ids.push(me.id);
    }
    expect(new Set(ids).size).to.equal(1);
  });
});
