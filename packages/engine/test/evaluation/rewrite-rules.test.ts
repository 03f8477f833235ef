import { expect } from 'chai';
import { unsoundness } from '../../src/index.ts';
import { parsePattern } from '../../src/patterns/pattern.ts';
import { okOf } from '../outcomes.ts';
import { all, evaluate, outcomesOf, phaseOf, stepsOf } from '../zones.ts';

const host = 'https://a.example';
type Members = Record<string, unknown>;
const redirect = { type: 'redirect' };

const effectOf = (rewrite: Members, path: string) =>
  stepsOf(evaluate({ rewrites: [rewrite] }, `${host}${path}`), 'rewriteRules')[0]?.['effect'];

describe('rewrite rules', () => {
  const effects: readonly (readonly [
    operator: string,
    source: string,
    target: string,
    path: string,
    effect: unknown,
    more?: Members,
  ])[] = [
    ['equals', '/a', '/b', '/a', { path: '/b', query: '' }],
    ['equals', '/%61/./x', '/b', '/a/x', { path: '/b', query: '' }],
    ['equals', '/a', '/b', '/a/', undefined],
    ['starts_with', '/a', '/b', '/ab/c', { path: '/bb/c', query: '' }],
    ['starts_with', '/a/', '/b/../', '/a/c/', { path: '/c/', query: '' }],
    ['starts_with', '/a', '/b?', '/a?x', { path: '/b', query: 'x' }],
    ['starts_with', '/a', '/b?y', '/a?x', { path: '/b', query: 'y' }, { preserveQueryString: false }],
    ['starts_with', '/a', '/b', '/a?x', { path: '/b', query: '' }, { preserveQueryString: false }],
    ['regex', '^/([^/]+)/(x)?', '/$2/$1/$$1', '/q/y', { path: '//q/$1'.replace('//', '/'), query: '' }],
    ['regex', '/B', '/c', '/b', undefined],
    ['regex_ci', '/(B)', '/c-$1', '/b', { path: '/c-b', query: '' }],
    ['equals', '/a', '/b//c/..//%2f', '/a', { path: '/b/%2F', query: '' }],
    ['starts_with', '/a', '/b/', '/a//c', { path: '/b/c', query: '' }],
    ['equals', '//a', '/b', '//a', undefined],
    ['regex', '^/(.*)$', '/a?p=$1&q=%7e', '/x+y&z', { path: '/a', query: 'p=x%2By%26z&q=~' }],
    ['regex', '^/(.*)$', '/\\b/$1', '/c', { path: '/%5Cb/c', query: '' }],
    ['equals', '/a', '/é?é', '/a', { path: '/Ã©', query: 'Ã©' }],
    ['regex', '^/(.*)$', '/$1', '//evil.example', { path: '/evil.example', query: '' }],
    ['equals', '/a', 'https://b.example', '/a?x', { status: 302, location: 'https://b.example/?x' }, redirect],
    ['equals', '/a', 'HTTPS://b.example', '/a', undefined, redirect],
    [
      'equals',
      '/a',
      'http://b.example:8080/c?d#e',
      '/a?x',
      { status: 307, location: 'http://b.example:8080/c?d&x#e' },
      { ...redirect, statusCode: 307 },
    ],
    ['regex', '^/(.*)$', '/b#$1-$$', '/c&d', { status: 302, location: '/b#c&d-$' }, redirect],
    ['equals', '/a', '/b#', '/a', { status: 302, location: '/b#' }, redirect],
    ['starts_with', '/', 'http://$host', '/b?x', { status: 302, location: 'http://a.example/b?x' }, redirect],
    [
      'regex',
      '^/(b)',
      'https://$host:8443/$1?$1#$1',
      '/b',
      { status: 302, location: 'https://a.example:8443/b?b#b' },
      redirect,
    ],
  ];
  for (const [operator, sourcePattern, target, path, effect, more = {}] of effects) {
    it(`rewrite ${path} by ${operator} ${sourcePattern} to ${target}: ${JSON.stringify(effect)}`, () => {
      expect(effectOf({ operator, sourcePattern, target, ...more }, path)).to.deep.equal(effect);
    });
  }

  it('never match with a source that no path can equal, nor the asterisk-form', () => {
    const rewrites = [
      { operator: 'equals', sourcePattern: '/a?b', target: '/c' },
      { operator: 'starts_with', sourcePattern: '/#', target: '/c' },
      { operator: 'regex', sourcePattern: '.', target: '/c' },
    ];
    const facts = { scheme: 'https', authority: 'a', target: '*', method: 'OPTIONS' };
    const answer = evaluate({ rewrites }, facts);
    expect(outcomesOf(answer, 'rewriteRules')).to.deep.equal(['notMatched', 'notMatched', 'notMatched']);
    expect(phaseOf(answer, 'rewriteRules')).to.deep.include({ changed: 'false', path: '*', query: '' });
    expect(answer.origin?.target).to.equal('*');
  });

  const a = { operator: 'equals', sourcePattern: '/a' };
  const maybe = all('country equals DE');
  const unknownCountry = { url: `${host}/a`, country: undefined };

  it('test conditions only if the source matches, and end with the first match', () => {
    const rewrites = [
      { ...a, sourcePattern: '/x', target: '/y', conditions: maybe },
      { ...a, target: '/b', conditions: all('method equals PUT') },
      { ...a, target: '/c' },
      { ...a, target: '/d' },
    ];
    const answer = evaluate({ rewrites }, `${host}/a`);
    expect(
      stepsOf(answer, 'rewriteRules').map(({ outcome, source, leaves }) => [outcome, source, leaves !== undefined]),
    ).to.deep.equal([
      ['notMatched', 'false', false],
      ['notMatched', 'true', true],
      ['matched', 'true', false],
      ['afterStop', undefined, false],
    ]);
    expect(phaseOf(answer, 'rewriteRules')).to.include({ changed: 'true', path: '/c', ends: 'false' });
  });

  it('lead to the host of the request in its canonical form, without its port, and not to that of another header', () => {
    const upgrade = { operator: 'starts_with', sourcePattern: '/', target: 'https://$host', type: 'redirect' };
    const locationOf = (authority: string) =>
      evaluate(
        { rewrites: [upgrade] },
        { scheme: 'http', authority, target: '/a', headers: [{ name: 'X-Forwarded-Host', value: 'b.example' }] },
      ).location;
    expect(['Shop.Example.:8080', '[2001:DB8::1]', '$host'].map(locationOf)).to.deep.equal([
      'https://shop.example/a',
      'https://[2001:db8::1]/a',
      undefined,
    ]);
  });

  it('are skipped if disabled', () => {
    const disabled = { operator: 'equals', sourcePattern: '/a', target: '/b', enabled: false };
    const evaluation = evaluate({ rewrites: [disabled] }, `${host}/a`);
    expect(outcomesOf(evaluation, 'rewriteRules')).to.deep.equal(['disabled']);
    expect(phaseOf(evaluation, 'rewriteRules')).to.deep.include({ changed: 'false', path: '/a' });
  });

  it('change a request even if only its query changes', () => {
    const query = { operator: 'equals', sourcePattern: '/a', target: '/a?b' };
    expect(phaseOf(evaluate({ rewrites: [query] }, `${host}/a`), 'rewriteRules')).to.deep.include({
      changed: 'true',
      path: '/a',
      query: 'b',
    });
  });

  it('leave path and query unknown if it is unknown whether a rewrite applies', () => {
    const rewrites = [
      { ...a, target: '/b', conditions: maybe },
      { ...a, target: '/c', type: 'redirect' },
    ];
    const rules = [{ conditions: all('uri equals /a') }, { conditions: all('method equals GET') }];
    const answer = evaluate({ rewrites, rules }, unknownCountry);
    expect(outcomesOf(answer, 'rewriteRules')).to.deep.equal(['unknown', 'unknown']);
    expect(phaseOf(answer, 'rewriteRules'))
      .to.include({ ends: 'unknown', changed: 'unknown' })
      .and.not.have.property('path');
    expect(outcomesOf(answer, 'configurationRules')).to.deep.equal(['unknown', 'matched']);
    expect(answer.dispositions).to.deep.equal(['redirect', 'serve']);
    expect(answer).to.not.have.any.keys('status', 'location');
    expect(answer.origin).to.not.have.property('target');
  });

  it('redirect only if there is a single possible answer', () => {
    const to = (target: string, conditions?: object) => ({
      ...a,
      ...redirect,
      target,
      ...(conditions && { conditions }),
    });
    const several = evaluate({ rewrites: [to('/b', maybe), to('/c')] }, unknownCountry);
    expect(several).to.include({ disposition: 'redirect' }).and.not.have.any.keys('status', 'location');
    const same = evaluate({ rewrites: [to('/b', maybe), to('/b')] }, unknownCountry);
    expect(same).to.include({ disposition: 'redirect', status: 302, location: '/b' });
    expect(phaseOf(same, 'rewriteRules')).to.include({ ends: 'true' }).and.not.have.property('changed');
    const possible = evaluate({ rewrites: [to('/b', maybe)] }, unknownCountry);
    expect(possible.dispositions).to.deep.equal(['redirect', 'serve']);
    expect(phaseOf(possible, 'rewriteRules')).to.include({ ends: 'unknown', changed: 'false' });
  });

  const unsound: readonly (readonly [
    type: 'rewrite' | 'redirect',
    target: string,
    source: string | undefined,
    reason: string | undefined,
  ])[] = [
    ['rewrite', '/a', undefined, undefined],
    ['rewrite', '/a?b=%20', undefined, undefined],
    ['rewrite', 'a', undefined, 'target.form'],
    ['rewrite', '//a', undefined, 'target.form'],
    ['rewrite', '/a#b', undefined, 'target.form'],
    ['rewrite', '/a%', undefined, 'target.form'],
    ['rewrite', '/%$1', '(a)', 'target.form'],
    ['rewrite', 'https://a.example/', undefined, 'target.otherHost'],
    ['rewrite', 'https://$host/', undefined, 'target.otherHost'],
    ['redirect', 'https://$host', undefined, undefined],
    ['redirect', 'https://$host:8443?a#b', undefined, undefined],
    ['redirect', 'https://$host.example/', undefined, 'target.reference.host'],
    ['redirect', 'https://$host$1/', '(a)', 'target.reference.host'],
    ['redirect', 'https://shop.$host/', undefined, 'target.reference.host'],
    ['redirect', 'https://$host:$1/', '(a)', 'target.reference.host'],
    ['redirect', 'https://$host@b.example/', undefined, 'target.reference.host'],
    ['redirect', '//$host/', undefined, 'target.form'],
    ['redirect', '/$host', undefined, 'target.reference'],
    ['redirect', 'https://$host/$1', undefined, 'target.reference'],
    ['redirect', '/a#b', undefined, undefined],
    ['redirect', 'https://a.example:80?b', undefined, undefined],
    ['redirect', 'https://a b/', undefined, 'target.form'],
    ['redirect', 'https://', undefined, 'target.form'],
    ['redirect', 'ftp://a', undefined, 'target.form'],
    ['redirect', 'https://$1/', '(a)', 'target.reference.host'],
    ['redirect', 'https://a$1', '(a)', 'target.reference.host'],
    ['redirect', 'https://a\\b', undefined, 'target.reference.host'],
    ['redirect', 'https://a/$1', '(a)', undefined],
    ['rewrite', '/$1', undefined, 'target.reference'],
    ['rewrite', '/$2', '(a)', 'target.reference'],
    ['rewrite', '/$0', '(a)', 'target.reference'],
    ['rewrite', '/$', '(a)', 'target.reference'],
    ['rewrite', '/$$', undefined, undefined],
    ['rewrite', '/$1', '(a)+', 'target.reference.repeated'],
    ['rewrite', '/$1', '(?:x(a)){2}', 'target.reference.repeated'],
    ['rewrite', '/$1', '(?:(a)|b)*', 'target.reference.repeated'],
    ['rewrite', '/$1', '(a)?(?:b){1}', undefined],
    ['rewrite', '/$1', '(a)(b)*', undefined],
    ['rewrite', '/$1', '(a)(b*)*', 'sourcePattern.emptyRepetition'],
    ['rewrite', '/$1', '(a)(?:^|b){2,}', 'sourcePattern.emptyRepetition'],
    ['rewrite', '/$1', '(a)(?:b?)?', undefined],
    ['rewrite', '/x', '(b*)*', undefined],
  ];
  for (const [type, target, source, reason] of unsound) {
    it(`${reason === undefined ? 'apply' : 'do not apply'} a ${type} of ${source ?? 'a path'} to ${target}`, () => {
      const pattern = source === undefined ? undefined : okOf(parsePattern(source));
      expect(unsoundness({ type, target }, pattern)).to.equal(reason);
      const operator = source === undefined ? 'starts_with' : 'regex';
      const rewrites = [{ operator, sourcePattern: source ?? '/', target, type }];
      const [outcome] = outcomesOf(evaluate({ rewrites }, host), 'rewriteRules');
      expect(outcome === 'disabled').to.equal(reason !== undefined);
    });
  }
});
