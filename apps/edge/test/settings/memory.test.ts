import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { memory, memoryFor, memoryShortage } from '../../src/settings/memory.ts';

const root = join(import.meta.dirname, '../../../..');

/** The numbers in the only place of a file that matches. */
const numbersIn = (file: string, pattern: RegExp): readonly number[] => {
  const [found = [], ...others] = readFileSync(join(root, file), 'utf8').matchAll(new RegExp(pattern, 'gm'));
  expect(others).to.deep.equal([]);
  return [...found].slice(1).map(Number);
};

describe('Memory of an edge', () => {
  const unit = 'apps/edge/deploy/zonewright-edge.service';

  it('has the same figures in the unit, in the image and in the documents', () => {
    const { heap, besideHeap, transformer, transformers } = memory;
    const [one, rest] = [memoryFor(1) / 1024, (memoryFor(2) - 2 * memoryFor(1)) / 1024];
    expect(numbersIn(unit, /^MemoryMax=(\d+)G$/)).to.deep.equal([one]);
    expect(numbersIn(unit, /plan (\S+) GiB for each and (\S+) GiB more/)).to.deep.equal([one, rest]);
    expect(numbersIn(unit, /^ExecStart=\S+ --max-old-space-size=(\d+) /)).to.deep.equal([heap]);
    expect(numbersIn('apps/edge/deploy/Dockerfile', /--max-old-space-size=(\d+)/)).to.deep.equal([heap]);
    const inWords = /^Plan (\S+) MiB .*?\n.*?heap of (\d+), (\d+) beside it, and (\d+) processes of (\d+)/;
    expect(numbersIn('docs/edge.md', inWords)).to.deep.equal([
      memoryFor(1),
      heap,
      besideHeap,
      transformers,
      transformer,
    ]);
    expect(numbersIn('docs/edge.md', /With `WORKERS`, plan that for each, and (\d+) MiB more/)).to.deep.equal([
      rest * 1024,
    ]);
  });

  it('is compared with what the system allows', () => {
    const bytes = memoryFor(3) * 2 ** 20;
    expect(memoryShortage(3, bytes - 1))
      .to.include('WORKERS=3')
      .and.to.include(`${memoryFor(3)} MiB`);
    expect([bytes, 0, undefined].map((allowed) => memoryShortage(3, allowed))).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
