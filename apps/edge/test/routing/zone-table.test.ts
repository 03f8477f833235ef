import { expect } from 'chai';
import { type ServedZone, servedZone } from '../../src/documents/accepted-zone.ts';
import { type RoutedZone, ZoneTable } from '../../src/routing/zone-table.ts';
import { documentOf } from '../support/documents.ts';
import { valueOf } from '../support/outcomes.ts';

const zoneOf = ({ bytes, digest }: ReturnType<typeof documentOf>): ServedZone => valueOf(servedZone(bytes, digest));

/** A table that compiles documents of zones, and the ids of those it has compiled. */
function tableOf(...zones: readonly RoutedZone[]) {
  const compiled: string[] = [];
  const table = new ZoneTable((zone) => {
    compiled.push(zone.id);
    return zoneOf(documentOf(zone));
  });
  for (const each of zones) table.put(each);
  const idOf = (host: string) => {
    const zone = table.find(host);
    return typeof zone === 'string' ? zone : zone.document.zone.id;
  };
  return { table, compiled, idOf };
}

const zone = (id: string, ...hostnames: readonly string[]): RoutedZone => ({ id, digest: `sha256:${id}`, hostnames });

describe('the table of zones', () => {
  it('ignores letter case, a final dot and a port', () => {
    const { idOf } = tableOf(zone('a', 'www.example.com'));
    const hosts = [
      'www.example.com',
      'WWW.Example.COM',
      'www.example.com.',
      'www.example.com:8080',
      'www.example.com.:',
    ];
    expect(hosts.map(idOf)).to.deep.equal(['a', 'a', 'a', 'a', 'a']);
  });

  it('tells what is no host name from names of no zone', () => {
    const { idOf } = tableOf(zone('a', 'a.example', '*.b.example'));
    const invalid = [
      '',
      'a b',
      'a@a.example',
      'a.example:65536',
      'ä.example',
      '*.b.example',
      '-a.example',
      'a..example',
      '[::1',
    ];
    expect(invalid.map(idOf)).to.deep.equal(invalid.map(() => 'invalid'));
    const unknown = ['b.example', 'localhost', '192.0.2.1', '[::1]:80', 'x.a.example'];
    expect(unknown.map(idOf)).to.deep.equal(unknown.map(() => 'unknown'));
  });

  it('prefers an exact name to a wildcard, which stands for exactly one label', () => {
    const { idOf } = tableOf(
      zone('any', '*.example.com'),
      zone('one', 'www.example.com'),
      zone('low', '*.a.example.com'),
    );
    const hosts = ['www.example.com', 'api.example.com', 'x.a.example.com', 'example.com', 'x.y.example.com'];
    expect(hosts.map(idOf)).to.deep.equal(['one', 'any', 'low', 'unknown', 'unknown']);
  });

  it('gives a name that moves to the zone that got it last, in whatever order the two arrive', () => {
    const { table, idOf } = tableOf(zone('a', 'x.example'), zone('b', 'b.example'));
    table.put(zone('b', 'b.example', 'x.example'));
    expect(idOf('x.example')).to.equal('b');
    table.put(zone('a', 'a.example'));
    expect(idOf('x.example')).to.equal('b');
    table.remove('b');
    expect([idOf('x.example'), idOf('a.example'), table.size]).to.deep.equal(['unknown', 'a', 1]);
  });

  it('compiles a zone at its first request, and again once it has been idle', () => {
    const { table, compiled, idOf } = tableOf(zone('a', 'a.example'), zone('b', 'b.example'));
    idOf('a.example');
    idOf('a.example');
    table.releaseIdle();
    expect([compiled, table.compiled]).to.deep.equal([['a'], 1]);
    table.releaseIdle();
    expect(table.compiled).to.equal(0);
    idOf('a.example');
    expect(compiled).to.deep.equal(['a', 'a']);
  });

  it('compiles a new document of a zone at the next request', () => {
    const { table, compiled, idOf } = tableOf(zone('a', 'a.example'));
    idOf('a.example');
    table.put(zone('a', 'a.example'));
    expect([compiled, table.compiled]).to.deep.equal([['a'], 0]);
    idOf('a.example');
    expect(compiled).to.deep.equal(['a', 'a']);
  });

  it('says for which names it answers without compiling anything', () => {
    const { table, compiled } = tableOf(zone('a', '*.example.com'));
    expect(['www.example.com', 'example.com', 'a b'].map((name) => table.answers(name))).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect(compiled).to.deep.equal([]);
  });
});
