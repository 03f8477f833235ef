import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { applied, stage } from './support/stage.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/edge.md'), 'utf8');
const program = /```js\n(\/\/ consumer\.mjs\n[^]*?)```/.exec(page)?.[1] ?? '';

describe('the consumer in docs/edge.md', () => {
  const { service, place } = stage();

  it('has about 60 lines', () => {
    expect(program.trim().split('\n').length).to.be.within(40, 65);
  });

  it('follows the feed through pages, removals, restarts and a reset', async () => {
    const { path } = place();
    const file = join(path, 'consumer.mjs');
    writeFileSync(file, program);
    const env = { SERVICE_URL: service().url, EDGE_KEY: service().addKey(), STATE_FILE: join(path, 'zones.json') };
    const lines: string[] = [];
    const start = () => {
      const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      createInterface(child.stdout).on('line', (line) => lines.push(line));
      return child;
    };
    service().pageSize = 2;
    for (const id of ['a', 'b', 'c', 'd', 'e']) service().put({ id });
    const first = start();
    await service().reported(applied(5));
    service().remove('a');
    service().put({ id: 'b', revision: 2, hostnames: ['shop.example'] });
    await service().reported(({ position }) => position === service().position);
    first.kill('SIGKILL');
    service().forget('c');
    service().forgetPositions();
    service().reports.length = 0;
    const second = start();
    await service().reported(applied(3));
    second.kill('SIGKILL');
    await new Promise((resolve) => second.once('close', resolve));
    expect(lines.slice(-3).sort()).to.deep.equal(['b shop.example', 'd d.example', 'e e.example']);
  });
});
