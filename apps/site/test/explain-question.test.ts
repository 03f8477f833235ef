import { expect } from 'chai';

type Question = Readonly<Record<string, string>>;

/** A browser module without type declarations. */
const { bodyOf, queryOf, fragmentOf, questionIn, mistakesIn, fieldOf } = (await import(
  new URL('../pages/explain/question.js', import.meta.url).href
)) as {
  bodyOf: (question: Question) => unknown;
  queryOf: (question: Question) => string;
  fragmentOf: (question: Question) => string;
  questionIn: (fragment: string) => Question | undefined;
  mistakesIn: (question: Question) => unknown;
  fieldOf: (path: string, message: string) => unknown;
};

const empty = { zone: 'z', url: 'https://a.example/?b=1&c', method: 'GET', ip: '', country: '', asn: '', status: '' };
const question: Question = { ...empty, headers: '', unknown: '', revision: '', patch: '' };

describe('A question of /explain', () => {
  for (const [what, fields, request, query] of [
    ['empty fields are omitted', {}, {}, ''],
    ['numbers are numbers', { asn: '64500', status: '404' }, { asn: 64_500, status: 404 }, '&status=404&asn=64500'],
    ['invalid numbers are left to the API', { status: '4o4' }, { status: '4o4' }, '&status=4o4'],
    ['no AS number', { asn: 'None' }, { asn: null }, '&asn='],
    [
      'headers with empty lines and colons',
      { headers: ' A:1 \n\nB: c: d\nC:' },
      {
        headers: [
          { name: 'A', value: '1' },
          { name: 'B', value: 'c: d' },
          { name: 'C', value: '' },
        ],
      },
      '&header%5B%5D=A%3A+1&header%5B%5D=B%3A+c%3A+d&header%5B%5D=C%3A+',
    ],
    ['unknown facts', { unknown: 'cookies' }, { unknown: ['cookies'] }, '&unknown%5B%5D=cookies'],
  ] as const) {
    it(`is sent in both forms: ${what}`, () => {
      const full = { ...question, ...fields };
      expect(bodyOf(full)).to.deep.equal({ request: { url: question['url'], method: 'GET', ...request } });
      expect(queryOf(full)).to.equal(`url=https%3A%2F%2Fa.example%2F%3Fb%3D1%26c&method=GET${query}`);
    });
  }

  it('includes a revision and an unsaved change', () => {
    expect(bodyOf({ ...question, revision: '3', patch: '{"zone_settings":{}}' })).to.deep.include({
      revision: 3,
      patch: { zone_settings: {} },
    });
  });

  it('equals the content of its link, except for values that may be secrets', () => {
    const headers = 'A: 1\nCookie: id=1\nX-Api-Key: 2\nproxy-authorization: 3\nX-Session-Token: 4';
    const full = { ...question, headers, ip: '::1', unknown: 'headers', revision: '7', patch: '{}' };
    const linked = 'A: 1\nCookie:\nX-Api-Key:\nproxy-authorization:\nX-Session-Token:';
    expect(questionIn(`#${fragmentOf(full)}`)).to.deep.equal({ ...full, headers: linked });
    expect(questionIn('')).to.equal(undefined);
  });

  it('is validated only as far as necessary to parse it', () => {
    expect(mistakesIn({ headers: 'A: 1\n: 2', patch: '[]' })).to.deep.equal({
      headers: 'Line 2 should be a name, a colon and a value.',
      patch: 'This should be a JSON object.',
    });
    expect(mistakesIn({ headers: '', patch: '{' })).to.have.keys('patch');
    expect(mistakesIn(question)).to.deep.equal({});
  });

  for (const [path, field, message] of [
    ['request.url', 'url', 'M'],
    ['country', 'country', 'M'],
    ['request.headers[2].value', 'headers', 'Line 3: M'],
    ['header[0]', 'headers', 'Line 1: M'],
    ['patch.zone_settings.minifyHtml', 'patch', 'zone_settings.minifyHtml: M'],
    ['patch', 'patch', 'M'],
    ['target', 'url', 'M'],
  ] as const) {
    it(`shows errors at ${path} in the field ${field}`, () => {
      expect(fieldOf(path, 'M')).to.deep.equal([field, message]);
    });
  }
});
