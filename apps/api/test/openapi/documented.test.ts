import { expect } from 'chai';
import { type Exchange, expectDocumented } from '../support/documented.ts';

const usual = { 'x-request-id': 'a', link: '<b>; rel="c"', 'content-type': 'application/json; charset=utf-8' };

/** A documented response, with differences. */
const exchange = ({ headers = usual, ...differences }: Partial<Omit<Exchange, 'headers'>> & { headers?: object }) => ({
  method: 'POST',
  path: '/api/auth/verify-email',
  status: 200,
  headers: new Headers(headers as Readonly<Record<string, string>>),
  text: '{"message":"Verified."}',
  ...differences,
});

describe('expectDocumented', () => {
  it('accepts documented responses, including general fields', () => {
    expectDocumented(exchange({ headers: { ...usual, date: 'now', ratelimit: '"a";r=1;t=1' } }));
  });

  it('accepts undescribed operations', () => {
    expectDocumented(exchange({ method: 'GET', path: '/healthz', headers: { server: 'none' }, text: 'yes' }));
  });

  const problem = { ...usual, 'content-type': 'application/problem+json; charset=utf-8' };
  for (const [what, differences, reported] of [
    ['a status', { status: 418 }, 'the status 418'],
    ['a field', { headers: { ...usual, 'x-powered-by': 'steam' } }, 'the field x-powered-by'],
    [
      'the absence of a field',
      { headers: { link: usual.link, 'content-type': usual['content-type'] } },
      'no x-request-id',
    ],
    ['a media type', { headers: { ...usual, 'content-type': 'text/html' } }, 'the media type text/html'],
    ['a member', { text: '{"message":"Verified.","token":"secret"}' }, 'must NOT have additional properties'],
    ['the absence of a member', { text: '{}' }, "must have required property 'message'"],
    ['a value', { text: '{"message":1}' }, '/message must be string'],
    [
      'a kind of problem',
      {
        status: 429,
        headers: { ...problem, 'retry-after': '1' },
        text: '{"type":"/errors/teapot","title":"a","status":429,"detail":"b"}',
      },
      '/type',
    ],
    ['a method without Allow', { method: 'PUT', status: 405, headers: problem, text: '{}' }, 'no allow'],
    ['a body where there is none', { method: 'DELETE', path: '/api/zones/1', status: 204 }, 'a body'],
    [
      'another form of a problem',
      { path: '/api/nothing', status: 404, headers: problem, text: '{"type":"/errors/not-found"}' },
      'required property',
    ],
  ] as const) {
    it(`rejects ${what}`, () => {
      expect(() => expectDocumented(exchange(differences))).to.throw(reported);
    });
  }
});
