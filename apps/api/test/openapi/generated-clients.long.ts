import { expect } from 'chai';
import { aRegistration } from '../support/arrange.ts';
import { compileGenerated, generatorsFolder, installGenerators, runGenerator } from '../support/generators.ts';
import { tokenIn } from '../support/mailbox.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { importProgram } from '../support/programs.ts';
import type { Tour } from '../support/traveller.ts';

describe('a client generated from the OpenAPI document', function () {
  this.timeout(120_000);
  let service: MemoryService;

  before(async () => {
    await installGenerators();
    service = await openMemoryService();
    const [DOCUMENT_URL, API_URL] = [`${service.url}/openapi.json`, `${service.url}/api`];
    await Promise.all([
      runGenerator('orval', ['--config', 'orval.config.cjs'], { DOCUMENT_URL, API_URL }),
      runGenerator('openapi-ts', ['--input', DOCUMENT_URL, '--output', 'dist/hey-api']),
    ]);
  });
  after(() => service.close());

  it('compiles, by orval (fetch and zod) and by hey-api', async () => {
    expect(await compileGenerated()).to.equal('');
  });

  for (const generator of ['orval', 'hey-api']) {
    it(`completes the tour, by ${generator}`, async () => {
      const program = (await importProgram(generatorsFolder, `${generator}-tour`)) as { readonly tour: Tour };
      const { email, password } = aRegistration();
      const tokenInMail = async () => tokenIn(await service.mails.nextMailTo(email));
      expect(await program.tour(`${service.url}/api`, { email, password, tokenInMail })).to.deep.equal([
        200, 60, 200, 204,
      ]);
    });
  }
});
