import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, type Step } from '../readme-support.ts';

const page = join(root, 'docs/edge.md');
const block = /```console\n([^]*?)```/;

/** The transcript of the page: commands after `$`, which may go on in further lines, each with its output. */
const shown = (): string => block.exec(readFileSync(page, 'utf8'))?.[1] ?? expect.fail('There is no transcript.');

const headingOf = (index: number): string => `transcript ${index}`;
const commands = (): readonly string[] => [...shown().matchAll(/^\$ ((?:.*\\\n)*.*)\n/gm)].map(([, each = '']) => each);

/** The commands of the transcript in docs/edge.md as steps of the tour, whose variables they use. */
export const transcriptSteps = (): readonly Step[] =>
  commands().map((script, index) => ({ heading: headingOf(index), script }));

/** Masks what varies between runs. */
const masked = (text: string): string =>
  text.replaceAll(/\d+\.\d+ s\b/g, '<time>').replaceAll(/^(Date|ETag): .*$/gim, '$1: <varies>');

/** Compares the transcript with what the commands printed, or updates it with WRITE_TRANSCRIPTS=1. */
export function expectTranscript(
  printed: ReadonlyMap<string, string>,
  replace: Readonly<Record<string, string>>,
): void {
  const lines = commands().map((command, index) => {
    const output = (printed.get(headingOf(index)) ?? '').replaceAll('\r', '');
    return `$ ${command}\n${Object.entries(replace).reduce((text, [from, to]) => text.replaceAll(to, from), output)}\n`;
  });
  const real = lines.join('');
  if (process.env['WRITE_TRANSCRIPTS'] !== '1') expect(masked(shown())).to.equal(masked(real));
  else
    writeFileSync(
      page,
      readFileSync(page, 'utf8').replace(block, () => `\`\`\`console\n${real}\`\`\``),
    );
}
