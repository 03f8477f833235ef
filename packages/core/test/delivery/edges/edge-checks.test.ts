import { checksOf } from '@zonewright/engine';
import { expect } from 'chai';
import { errAsync, okAsync } from 'neverthrow';
import { checksFor, type DocumentChecks } from '../../../src/delivery/edges/edge-checks.ts';
import { analysisBusy } from '../../../src/review/findings/errors.ts';
import { sha256 } from '../../support/world.ts';

const check = { request: { url: 'https://www.example.com/' }, sha256: '0' };

/** A zone whose rules have this many characters. */
const configurationOf = (characters: number) => ({
  document: { zone_settings: {}, note: 'x'.repeat(characters) },
  backends: {},
  hostnames: [],
});

describe('checksFor', () => {
  const made = (characters: number, checks: DocumentChecks['checks']) =>
    checksFor(configurationOf(characters), sha256, { checks }).unwrapOr([]);

  it('makes those of small documents at once', async () => {
    const checks = await made(100, () => expect.fail('Nobody is asked.'));
    expect(checks).to.have.lengthOf(3);
  });

  it('leaves those of large documents to others', async () => {
    expect(await made(50_000, () => okAsync([check]))).to.deep.equal([check]);
  });

  it('makes the same if those are too busy', async () => {
    const checks = await made(50_000, () => errAsync(analysisBusy(5)));
    expect(checks)
      .to.deep.equal(checksOf(configurationOf(50_000), sha256))
      .and.not.deep.equal([]);
  });
});
