import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from 'chai';
import openapiTypes, { astToString } from 'openapi-typescript';
import { aRegistration } from '../support/arrange.ts';
import { tokenIn } from '../support/mailbox.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { importProgram } from '../support/programs.ts';

const root = new URL('../../../../', import.meta.url);
const folder = new URL('client/', import.meta.url);

/** Compiled separately, and its types exist only then: nothing here may import it statically. */
interface Program {
  readonly tour: (
    baseUrl: string,
    traveller: { readonly email: string; readonly password: string; readonly tokenInMail: () => Promise<string> },
  ) => Promise<readonly string[]>;
}

describe('a client typed by the OpenAPI document', function () {
  this.timeout(60_000);
  let service: MemoryService;

  before(async () => {
    service = await openMemoryService();
    const document = await fetch(`${service.url}/api/docs.jsonopenapi`);
    const types = await openapiTypes(await document.text(), { defaultNonNullable: false });
    mkdirSync(new URL('dist/', folder), { recursive: true });
    writeFileSync(new URL('dist/openapi.d.ts', folder), astToString(types));
  });
  after(() => service.close());

  it('compiles, except for the intended mistakes', async () => {
    const compiler = new URL('node_modules/typescript/bin/tsc', root).pathname;
    const outcome = await promisify(execFile)(process.execPath, [compiler, '-p', folder.pathname]).catch(
      (failure: { readonly stdout: string }) => failure,
    );
    expect(outcome.stdout).to.equal('');
  });

  it('completes the tour of README.md', async () => {
    const { tour } = (await importProgram(folder, 'tour')) as Program;
    const { email, password } = aRegistration();
    const tokenInMail = async () => tokenIn(await service.mails.nextMailTo(email));
    expect(await tour(`${service.url}/api`, { email, password, tokenInMail })).to.deep.equal([
      'shop.example.com keeps objects for 3600 seconds',
      '1. Never cache the cart (off)',
      '2. Keep the blog for a day',
    ]);
  });
});
