import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { statement } from '../src/connection/statement.ts';
import { type Database, openDatabase } from '../src/index.ts';
import { migratedDatabase } from './support/database.ts';

const folder = join(import.meta.dirname, '../sql');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.sql'))
  .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));

describe('The files of statements', function () {
  this.timeout(30_000);
  let database: Database;

  before(async () => {
    database = openDatabase({ url: await migratedDatabase() });
  });
  after(() => database?.$pool.end());

  it('are what the templates render', () => {
    const render = join(import.meta.dirname, '../templates/render.mjs');
    const { stderr } = spawnSync(process.execPath, [render, '--check'], { encoding: 'utf8' });
    expect(stderr).to.equal('');
  });

  it('are each one whole statement, which the database can prepare', async () => {
    const refused: string[] = [];
    for (const { path, text } of files) {
      const prepare = `PREPARE probe AS ${statement(path, text).text}; DEALLOCATE probe`;
      await database.none(prepare).catch((failure: unknown) => refused.push(`${path}: ${String(failure)}`));
    }
    expect(refused).to.deep.equal([]);
  });

  it('have no gaps that a program fills', () => {
    expect(files.filter(({ text }) => /\/\*|<%|\$\{(?!\w+\})/.test(text)).map(({ path }) => path)).to.deep.equal([]);
  });
});
