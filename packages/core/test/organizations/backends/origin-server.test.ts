import { expect } from 'chai';
import { parse } from '../../../src/kernel/shared/parse.ts';
import { OriginServerDraft, originServerDocument } from '../../../src/organizations/backends/origin-server.ts';

const least = { name: 'Main', protocol: 'https', address: 'origin.example.net' };
const read = (changes: object) =>
  parse(OriginServerDraft, { ...least, ...changes }).match(
    (draft): unknown => originServerDocument(draft),
    ({ violations }) => violations.map(({ propertyPath, code }) => `${propertyPath}: ${code}`),
  );

describe('OriginServerDraft', () => {
  const accepted: readonly (readonly [what: string, changes: object, kept: object])[] = [
    ['the port of https', {}, { port: 443 }],
    ['the port of http', { protocol: 'http' }, { protocol: 'http', port: 80 }],
    ['a port of its own', { protocol: 'http', port: 443 }, { protocol: 'http', port: 443 }],
    ['the least port', { port: 1 }, { port: 1 }],
    ['the highest port', { port: 65_535 }, { port: 65_535 }],
    ['no host name when it is null', { requestHostname: null }, { port: 443 }],
    ['a host name', { requestHostname: 'www.example.com' }, { port: 443, requestHostname: 'www.example.com' }],
    ['the name without spaces around it', { name: ' Other ' }, { name: 'Other', port: 443 }],
    ['a name of 255 characters', { name: '🙂'.repeat(255) }, { name: '🙂'.repeat(255), port: 443 }],
  ];
  for (const [what, changes, kept] of accepted) {
    it(`has ${what}`, () => {
      expect(read(changes)).to.deep.equal({ ...least, ...kept });
    });
  }

  const refused: readonly (readonly [what: string, changes: object, violation: string])[] = [
    ['no name', { name: undefined }, 'name: member.required'],
    ['an empty name', { name: ' ' }, 'name: text.tooShort'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name: text.tooLong'],
    ['a name with a control character', { name: 'a\tb' }, 'name: text.control'],
    ['no protocol', { protocol: undefined }, 'protocol: member.required'],
    ['another protocol', { protocol: 'ftp' }, 'protocol: value.choice'],
    ['a protocol in other case', { protocol: 'HTTPS' }, 'protocol: value.choice'],
    ['no address', { address: undefined }, 'address: member.required'],
    ['port 0', { port: 0 }, 'port: number.range'],
    ['port 65536', { port: 65_536 }, 'port: number.range'],
    ['half a port', { port: 80.5 }, 'port: member.type'],
    ['a port as text', { port: '80' }, 'port: member.type'],
    ['null as port', { port: null }, 'port: member.type'],
    ['an unknown member', { weight: 1 }, 'weight: member.unknown'],
  ];
  for (const [what, changes, violation] of refused) {
    it(`refuses ${what}`, () => {
      expect(read(changes)).to.deep.equal([violation]);
    });
  }

  it('reports all violations at once', () => {
    const wrong = { name: '', protocol: 'x', address: '10.0.0.1', port: 0, requestHostname: '*', more: 1 };
    expect(read(wrong)).to.have.members([
      'name: text.tooShort',
      'protocol: value.choice',
      'address: backend.address.forbidden',
      'port: number.range',
      'requestHostname: backend.hostname.syntax',
      'more: member.unknown',
    ]);
  });
});
