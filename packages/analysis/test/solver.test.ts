import { expect } from 'chai';
import * as fc from 'fast-check';
import { all, any } from '../../engine/test/zones.ts';
import { satisfies, witnessOf } from '../src/solver/model.ts';
import { Solver } from '../src/solver/solver.ts';
import { defaultBudget, Spending } from '../src/texts/budget.ts';
import { conditions, request } from './arbitraries.ts';
import { bothViews, modelOf, outcomeOf } from './models.ts';

const solve = (set: Readonly<Record<string, unknown>>, fails = false) => {
  const { formula } = bothViews(set);
  return new Solver(new Spending(defaultBudget)).solve(fails ? formula.fails : formula.holds);
};

describe('conditions as sets of requests', () => {
  it('match exactly the requests that match according to the engine', () => {
    fc.assert(
      fc.property(conditions(), fc.array(request, { minLength: 20, maxLength: 20 }), (set, requests) => {
        const { formula, result } = bothViews(set);
        for (const facts of requests) {
          const model = modelOf(facts);
          if (model === undefined) continue;
          expect(outcomeOf(satisfies(model, formula.holds)), JSON.stringify(facts)).to.equal(result(facts));
          expect(satisfies(model, formula.fails)).to.equal(!satisfies(model, formula.holds));
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('the solver', () => {
  it('finds requests that match according to the engine, and proves only what random search cannot refute', () => {
    fc.assert(
      fc.property(conditions(4), fc.array(request, { minLength: 20, maxLength: 20 }), (set, requests) => {
        const { formula, result } = bothViews(set);
        for (const wanted of [true, false]) {
          const answer = new Solver(new Spending(defaultBudget)).solve(wanted ? formula.holds : formula.fails);
          if (answer === 'none') {
            for (const facts of requests) {
              if (modelOf(facts) !== undefined)
                expect(result(facts), JSON.stringify(facts)).to.equal(outcomeOf(!wanted));
            }
          } else {
            expect(answer, 'the budget is enough').not.to.equal('undecided');
            if (answer !== 'undecided') expect(result({ ...witnessOf(answer, true) })).to.equal(outcomeOf(wanted));
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  const impossible: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['two values of one text', all('uri equals /a', 'uri equals /b')],
    ['a path that is not canonical', all('uri matches ^/a/\\.\\./')],
    ['a triplet that is decoded', all('uri matches ^[^%]*%41')],
    ['an extension elsewhere', all('extension equals css', 'uri not_contains .')],
    ['a URL of another scheme', all('url starts_with http://', 'scheme equals https')],
    ['a URL of another host', all('url starts_with https://shop.example.com/', 'host not_starts_with shop.')],
    ['a parameter without a query', all('queryParam:q exists', 'query equals ')],
    ['a cookie without its header', all('cookie:a exists', 'header:Cookie not_exists')],
    ['a range without its addresses', all('ip in 192.0.2.0/25', 'ip not_in 192.0.0.0/16')],
    ['two halves of a range', all('ip in 192.0.2.0/24', 'ip not_in 192.0.2.0/25,192.0.2.128/25')],
    ['both schemes excluded', all('scheme not_equals http', 'scheme not_equals https')],
    ['a media type in upper case', all('header:Content-Type equals TEXT/HTML', 'contentType not_equals text/html')],
    ['a path of the asterisk-form with GET', all('uri not_starts_with /', 'method equals GET')],
  ];
  for (const [name, set] of impossible) it(`proves impossible: ${name}`, () => expect(solve(set)).to.equal('none'));

  const possible: readonly (readonly [string, Readonly<Record<string, unknown>>, object])[] = [
    [
      'several cookies of a name',
      all('cookie:a equals 1', 'cookie:a equals 2'),
      { headers: [{ name: 'cookie', value: 'a=1;a=2' }] },
    ],
    [
      'nothing in particular',
      any('method not_equals PURGE'),
      { method: 'GET', target: '/', authority: 'www.example.com' },
    ],
    ['the asterisk-form', all('uri not_starts_with /'), { method: 'OPTIONS', target: '*' }],
    ['a network without number', all('asn not_exists'), { asn: null }],
    ['an address outside', all('ip not_in 192.0.2.0/24'), { ip: '198.51.100.1' }],
    ['a host', all('method equals PUT', 'host equals a.example'), { method: 'PUT', authority: 'a.example' }],
  ];
  for (const [name, set, expected] of possible) {
    it(`finds: ${name}`, () => {
      const answer = solve(set);
      expect(typeof answer === 'string' ? answer : witnessOf(answer)).to.deep.include(expected);
    });
  }

  it('is undecided once its budget is spent', () => {
    const { formula } = bothViews(all('uri matches (a|b)*a(a|b){14}$', 'uri not_matches a'));
    expect(new Solver(new Spending({ question: 5, answer: 100 })).solve(formula.holds)).to.equal('undecided');
  });
});
