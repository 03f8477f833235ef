import { expect } from 'chai';
import { parseFacts } from '../../src/index.ts';
import { okOf } from '../outcomes.ts';
import { all, engineOf, evaluate, outcomesOf, phaseOf } from '../zones.ts';

const url = 'https://a.example/';
const unknownCountry = { url, country: undefined };
const always = all('method equals GET');
const never = all('method equals PUT');
const maybe = all('country equals DE');
const rule = (action: string, conditions: object, more: object = {}) => ({ action, conditions, ...more });
const skip = (target: string, conditions: object, stopOnMatch = false) =>
  rule('skip', conditions, { skipTargets: [target], stopOnMatch });

describe('access rules', () => {
  it('end with the first block or challenge', () => {
    const access = [
      rule('block', never),
      rule('challenge', always, { enabled: false }),
      rule('challenge', always),
      rule('block', always),
      rule('allow', always, { enabled: false }),
    ];
    const answer = evaluate({ access }, url);
    expect(answer).to.include({ disposition: 'challenge', status: 403 });
    expect(outcomesOf(answer, 'accessRules')).to.deep.equal([
      'notMatched',
      'disabled',
      'matched',
      'afterStop',
      'disabled',
    ]);
    expect(phaseOf(answer, 'accessRules')['ends']).to.equal('true');
    expect(answer.phases).to.have.length(1);
    expect(answer).to.not.have.any.keys('settings', 'cache', 'origin', 'response');
  });

  it('list possible dispositions without duplicates', () => {
    const access = [rule('challenge', maybe), rule('block', maybe), rule('challenge', maybe)];
    const answer = evaluate({ access, settings: { underAttack: true } }, unknownCountry);
    expect(answer.dispositions).to.deep.equal(['challenge', 'block']);
    expect(answer).to.include({ disposition: 'unknown' }).and.not.have.property('status');
    expect(phaseOf(answer, 'accessRules')['ends']).to.equal('unknown');
  });

  it('are unknown after an allow that may have ended them', () => {
    const access = [rule('allow', maybe), rule('block', always), rule('block', never), rule('allow', always)];
    const answer = evaluate({ access, settings: { defaultBackend: null } }, unknownCountry);
    expect(outcomesOf(answer, 'accessRules')).to.deep.equal(['unknown', 'unknown', 'notMatched', 'unknown']);
    expect(answer.dispositions).to.deep.equal(['block', 'noBackend']);
  });

  it('skip certainly or possibly, and stop only with stopOnMatch', () => {
    const access = [
      skip('waf', maybe),
      skip('underAttack', maybe),
      skip('waf', always),
      skip('ipLists', always, true),
      skip('rateLimiting', always),
    ];
    const answer = evaluate({ access, settings: { underAttack: true } }, unknownCountry);
    expect(outcomesOf(answer, 'accessRules').at(-1)).to.equal('afterStop');
    expect(phaseOf(answer, 'accessRules')['skips']).to.deep.equal([
      { target: 'waf', result: 'true' },
      { target: 'underAttack', result: 'unknown' },
      { target: 'ipLists', result: 'true' },
    ]);
    expect(phaseOf(answer, 'security')).to.include({ underAttack: 'unknown', ends: 'unknown' });
    expect(answer.dispositions).to.deep.equal(['challenge', 'serve']);
  });

  it('do not turn a certain skip into a possible one', () => {
    const access = [skip('waf', always), skip('waf', maybe, true), rule('block', always)];
    const answer = evaluate({ access }, unknownCountry);
    expect(phaseOf(answer, 'accessRules')['skips']).to.deep.equal([{ target: 'waf', result: 'true' }]);
    expect(outcomesOf(answer, 'accessRules').at(-1)).to.equal('unknown');
  });
});

describe('security', () => {
  const scenarios = [{ filter: always }, { filter: maybe }, { filter: always, enabled: false }];
  const outcomes = (settings: object, access: Record<string, unknown>[] = []) =>
    outcomesOf(evaluate({ scenarios, access, settings: { ...settings } }, unknownCountry), 'security');

  it('is inactive if the zone or its security is off, or scenarios are skipped', () => {
    expect(outcomes({})).to.deep.equal(['matched', 'unknown', 'disabled']);
    expect(outcomes({ enabled: false })).to.deep.equal(['inactive', 'inactive', 'disabled']);
    expect(outcomes({ securityEnabled: false })).to.deep.equal(['inactive', 'inactive', 'disabled']);
    expect(outcomes({}, [skip('scenarios', always)])).to.deep.equal(['inactive', 'inactive', 'disabled']);
    expect(outcomes({}, [skip('scenarios', maybe)])).to.deep.equal(['unknown', 'unknown', 'disabled']);
  });

  it('challenges under attack whether or not security is on, but never if the zone is off', () => {
    const settings = { underAttack: true, securityEnabled: false };
    expect(evaluate({ settings }, url))
      .to.include({ disposition: 'challenge', status: 403 })
      .and.have.property('settings');
    expect(evaluate({ settings: { ...settings, enabled: false } }, url).disposition).to.equal('serve');
  });

  it('sees the request as the client sent it', () => {
    const rewrites = [{ operator: 'equals', sourcePattern: '/a', target: '/b' }];
    const answer = evaluate({ rewrites, scenarios: [{ filter: all('uri equals /a') }] }, 'https://a.example/a');
    expect(outcomesOf(answer, 'security')).to.deep.equal(['matched']);
  });
});

describe('basic auth and maintenance', () => {
  const settings = { basicAuth: { enabled: true }, enabled: false };
  const given = (value: string) => ({ url, headers: [{ name: 'Authorization', value }] });

  it('requires credentials of the Basic scheme, even if the zone is off', () => {
    for (const value of ['Basic', 'Basic ', 'Bearer a', 'xBasic a']) {
      expect(evaluate({ settings }, given(value)), value).to.include({ disposition: 'unauthorized', status: 401 });
    }
    expect(evaluate({ settings }, given('BASIC   a')).disposition).to.equal('serve');
  });

  it('is unknown for unknown credentials', () => {
    const answer = evaluate({ settings }, { url, unknown: ['headers'] });
    expect(phaseOf(answer, 'basicAuth')).to.include({ required: 'true', credentials: 'unknown', ends: 'unknown' });
    expect(answer.dispositions).to.deep.equal(['unauthorized', 'serve']);
  });

  it('answers 503 during maintenance', () => {
    const maintained = { customPagesMaintenanceActive: true };
    const answer = evaluate({ settings: maintained }, url);
    expect(answer).to.include({ disposition: 'maintenance', status: 503 });
    expect(phaseOf(answer, 'maintenance')).to.include({ active: 'true', ends: 'true' });
    expect(evaluate({ settings: { ...maintained, enabled: false } }, url).disposition).to.equal('serve');
  });
});

describe('A country that nothing assigns', () => {
  it('is absent, not unknown', () => {
    const engine = engineOf({
      access: [{ conditions: all('country not_equals DE', 'country not_in XX'), action: 'block' }],
    });
    const facts = { ...okOf(parseFacts({ url: 'https://a.example/' })), country: null };
    expect(engine.evaluate(facts).disposition).to.equal('block');
    const key = engineOf({
      settings: { cachingDynamicEnabled: true, cachingDynamicCacheKey: { varyByCountry: true } },
    }).evaluate(facts).cache?.key;
    expect(key?.parts.find(({ part }) => part === 'country')).to.deep.equal({ part: 'country', state: 'absent' });
  });
});
