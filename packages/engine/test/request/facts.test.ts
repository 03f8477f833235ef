import { expect } from 'chai';
import { parseFacts } from '../../src/index.ts';
import { errorOf, okOf } from '../outcomes.ts';

const url = 'https://a.example/';
const problemsOf = (input: unknown) => errorOf(parseFacts(input)).map(({ path, code }) => `${path} ${code}`);

describe('parseFacts', () => {
  const urls = [
    ['HTTPS://A.example', 'https', 'A.example', '/'],
    ['http://a?b', 'http', 'a', '/?b'],
    ['http://a#b', 'http', 'a', '/#b'],
    ['http://u@a:1/b//c', 'http', 'u@a:1', '/b//c'],
  ] as const;
  for (const [written, scheme, authority, target] of urls) {
    it(`splits ${written}`, () => {
      expect(okOf(parseFacts({ url: written }))).to.include({ scheme, authority, target, method: 'GET' });
    });
  }

  it('canonicalizes the facts about the client', () => {
    const facts = okOf(parseFacts({ url, ip: '::FFFF:192.0.2.1', country: 'de', asn: null, status: 404 }));
    expect(facts.ip).to.deep.equal({ text: '192.0.2.1', key: 'c0000201' });
    expect(facts).to.include({ country: 'DE', asn: null, status: 404, headersUnknown: false, cookiesUnknown: false });
    expect(okOf(parseFacts({ url, unknown: ['headers', 'cookies'] }))).to.include({
      ip: undefined,
      asn: undefined,
      headersUnknown: true,
      cookiesUnknown: true,
    });
  });

  const refused: readonly (readonly [input: unknown, problems: readonly string[]])[] = [
    [null, [' member.type']],
    [{}, ['url member.required']],
    [{ scheme: 'http' }, ['authority member.required', 'target member.required']],
    [{ url, target: '/' }, ['url request.url.twice']],
    [{ url: 'ftp://a' }, ['url request.url']],
    [{ url: 1 }, ['url member.type']],
    [{ scheme: 'ftp', authority: 'a', target: '/' }, ['scheme value.choice']],
    [{ scheme: 1, authority: 'a', target: '/' }, ['scheme member.type']],
    [{ url, port: 1 }, ['port member.unknown']],
    [{ url, method: null }, ['method member.type']],
    [{ url, headers: 'a' }, ['headers member.type']],
    [{ url, headers: [1] }, ['headers[0] member.type']],
    [{ url, headers: [{ name: 'a' }] }, ['headers[0].value member.required']],
    [{ url, headers: [{ value: '', x: 1 }] }, ['headers[0].x member.unknown', 'headers[0].name member.required']],
    [{ url, headers: [{ name: 'hoST', value: '' }] }, ['headers[0].name request.header.host']],
    [{ url, headers: [{ name: 'a', value: 'Ā' }] }, ['headers[0].value request.header.bytes']],
    [{ url, ip: '192.0.2.1/32' }, ['ip request.ip']],
    [{ url, ip: 'fe80::1%eth0' }, ['ip request.ip']],
    [{ url, ip: null }, ['ip member.type']],
    [{ url, country: 'UK' }, ['country request.country']],
    [{ url, country: 1 }, ['country member.type']],
    [{ url, asn: 0 }, ['asn number.range']],
    [{ url, asn: 4_294_967_296 }, ['asn number.range']],
    [{ url, asn: 1.5 }, ['asn member.type']],
    [{ url, status: 99 }, ['status number.range']],
    [{ url, unknown: ['ip'] }, ['unknown[0] value.choice']],
    [
      { url, unknown: ['cookies'], headers: [null, { name: 'COOKIE', value: '' }] },
      ['headers[0] member.type', 'unknown request.cookies.known'],
    ],
    [{ url, unknown: 'cookies', headers: {} }, ['headers member.type', 'unknown member.type']],
  ];
  for (const [input, problems] of refused) {
    it(`refuses ${JSON.stringify(input)}`, () => {
      expect(problemsOf(input)).to.deep.equal(problems);
    });
  }
});
