import { expect } from 'chai';
import getPort from 'get-port';
import type { Page } from 'playwright-core';
import { aVerifiedUser } from '../support/arrange.ts';
import { openMemoryService } from '../support/memory-service.ts';
import { passkeysPath } from '../support/passkeys.ts';
import { withAuthenticator } from './support/authenticator.ts';
import { openBrowser } from './support/chromium.ts';

/** Runs in the page: calls the API, and passes options through the browser's own JSON. */
const functions = `
  const call = async (path, body, headers = {}) => {
    const given = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(path, { method: 'POST', headers: { ...type, ...headers }, ...given });
    return { status: response.status, body: await response.json() };
  };
  const create = async (headers) => {
    const { body } = await call('${passkeysPath}/options', undefined, headers);
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(body);
    return (await navigator.credentials.create({ publicKey })).toJSON();
  };
  const sign = async (path, given) => {
    const { body } = await call(path, given);
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(body);
    return (await navigator.credentials.get({ publicKey })).toJSON();
  };`;

interface Called {
  readonly status: number;
  readonly body: unknown;
}

describe('A passkey of Chromium', () => {
  let service: Awaited<ReturnType<typeof openMemoryService>>;
  let page: Page;
  let address: string;

  before(async () => {
    // Browsers know no passkeys of addresses that are numbers.
    const port = await getPort({ host: '127.0.0.1' });
    address = `http://localhost:${port}`;
    service = await openMemoryService({ port, publicBaseUrl: address });
    page = await (await (await openBrowser()).newContext()).newPage();
    await withAuthenticator(page);
    await page.goto(`${address}/verify-email`);
  });
  after(async () => {
    await page.context().close();
    await service.close();
  });

  const run = (script: string): Promise<Called> => page.evaluate(`(async () => { ${functions} ${script} })()`);

  it('is added, signs in twice, and answers a challenge', async () => {
    const user = await aVerifiedUser(service);
    const headers = JSON.stringify({ authorization: `Bearer ${user.token}` });
    const added = await run(
      `const response = await create(${headers});
       return call('${passkeysPath}', { name: 'Chromium', response }, ${headers});`,
    );
    expect(added, JSON.stringify(added.body)).to.include({ status: 201 });
    const signIn = `return call('/api/auth/passkey', { response: await sign('/api/auth/passkey/options') });`;
    expect((await run(signIn)).status).to.equal(200);
    expect((await run(signIn)).body).to.have.property('token');
    const answered = await run(
      `const { body } = await call('/api/auth/login', ${JSON.stringify({ email: user.email, password: user.password })});
       const { challengeToken } = body;
       return call('/api/auth/2fa', { challengeToken, response: await sign('/api/auth/2fa/options', { challengeToken }) });`,
    );
    expect(answered, JSON.stringify(answered.body)).to.include({ status: 200 });
  });
});
