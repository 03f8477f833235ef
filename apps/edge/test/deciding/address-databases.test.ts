import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { all } from '../../../../packages/engine/test/zones.ts';
import { openAddressDatabases } from '../../src/deciding/address-databases.ts';
import { ask, openEdge } from '../support/edge.ts';
import { mmdb } from '../support/mmdb.ts';
import { servedZone } from '../support/zones.ts';

describe('Databases of addresses', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'edge-mmdb-'));
    file = join(folder, 'test.mmdb');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (bytes: Buffer) => {
    writeFileSync(`${file}.new`, bytes);
    renameSync(`${file}.new`, file);
  };

  it('know countries and autonomous systems in the forms of several publishers', () => {
    write(
      mmdb({
        '192.0.2.0/24': { country: { iso_code: 'DE' }, autonomous_system_number: 64_500 },
        '198.51.100.0/25': { country_code: 'fr', asn: 'AS64501' },
        '203.0.113.7/32': { country: 'QQ', asn: 'none' },
      }),
    );
    const databases = openAddressDatabases({ country: file, asn: file });
    const addresses = ['192.0.2.9', '198.51.100.1', '203.0.113.7', '198.51.100.200', '2001:db8::1'];
    expect(addresses.map((address) => [databases.country(address), databases.asn(address)])).to.deep.equal([
      ['DE', 64_500],
      ['FR', 64_501],
      ['XX', null],
      ['XX', null],
      ['XX', null],
    ]);
    databases.close();
  });

  it('are no databases without files', () => {
    const databases = openAddressDatabases({ country: undefined, asn: undefined });
    expect([databases.country('192.0.2.1'), databases.asn('192.0.2.1')]).to.deep.equal([null, null]);
    databases.close();
  });

  it('must be there and whole at the start', () => {
    expect(() => openAddressDatabases({ country: file, asn: undefined })).to.throw();
    write(Buffer.from('no database'));
    expect(() => openAddressDatabases({ country: undefined, asn: file })).to.throw();
  });

  it('are read again when they change, unless they are damaged', async () => {
    const systems = join(folder, 'asn.mmdb');
    const systemIs = (asn: number) => writeFileSync(systems, mmdb({ '192.0.2.0/24': { asn } }));
    const countryIs = (code: string) => write(mmdb({ '192.0.2.0/24': { country: { iso_code: code } } }));
    countryIs('DE');
    systemIs(1);
    const databases = openAddressDatabases({ country: file, asn: systems }, 5);
    const seen = () => [databases.country('192.0.2.1'), databases.asn('192.0.2.1')];
    const until = async (is: () => boolean) => {
      while (!is()) await new Promise((resolve) => setTimeout(resolve, 2));
    };
    /** The files are checked in turn: once the second has been seen, so has the first. */
    const lookedAt = async (asn: number) => {
      systemIs(asn);
      await until(() => databases.asn('192.0.2.1') === asn);
    };
    expect(seen()).to.deep.equal(['DE', 1]);
    countryIs('FR');
    await until(() => databases.country('192.0.2.1') === 'FR');
    write(Buffer.from('damaged'));
    await lookedAt(2);
    await lookedAt(3);
    expect(seen()).to.deep.equal(['FR', 3]);
    rmSync(file);
    await lookedAt(4);
    await lookedAt(5);
    expect(seen()).to.deep.equal(['FR', 5]);
    countryIs('IT');
    await until(() => databases.country('192.0.2.1') === 'IT');
    databases.close();
  });

  it('decide about requests; without them a country is absent, which no rule confuses with XX', async () => {
    const access = [
      { conditions: all('country equals DE'), action: 'block' },
      { conditions: all('country equals XX'), action: 'block' },
      { conditions: all('asn equals 64500'), action: 'block' },
    ];
    const edge = await openEdge([servedZone({ access })]);
    expect((await ask(edge)).status).to.equal(502);
    await edge.close(0);
    const facts = { country: () => 'FR', asn: () => 64_500, close: () => undefined };
    const other = await openEdge([servedZone({ access })], {}, { facts });
    expect((await ask(other)).status).to.equal(403);
    await other.close(0);
  });
});
