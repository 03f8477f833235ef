import { expect } from 'chai';
import * as fc from 'fast-check';
import { isJsonObject, type Json, mergePatch } from '../../src/shared/merge-patch.ts';

/** Parsed as a body is: `__proto__` becomes an own member. */
const json = (text: string): Json => JSON.parse(text) as Json;

const anyJson = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
const anyObject = fc.dictionary(
  fc.oneof(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), fc.string()),
  anyJson,
);

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFrozen(member);
  }
  return value;
}

/** Whether an object, not inside a list, has a member that is null. */
const hasNullMember = (value: Json): boolean =>
  isJsonObject(value) && Object.values(value).some((member) => member === null || hasNullMember(member));

describe('mergePatch', () => {
  const examples: readonly (readonly [original: string, patch: string, result: string])[] = [
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ];
  for (const [original, patch, result] of examples) {
    it(`turns ${original} by ${patch} into ${result} (RFC 7396 appendix A)`, () => {
      expect(mergePatch(json(original), json(patch))).to.deep.equal(json(result));
    });
  }

  it('takes a missing target for an empty object, so that nulls of the patch vanish', () => {
    expect(mergePatch(undefined, { a: { b: null, c: 1 }, d: null })).to.deep.equal({ a: { c: 1 } });
    fc.assert(fc.property(anyObject, (patch) => !hasNullMember(mergePatch(undefined, patch))));
  });

  it('keeps nulls inside lists', () => {
    expect(mergePatch({}, { a: [null, { b: null }] })).to.deep.equal({ a: [null, { b: null }] });
  });

  it('gives the same when it is applied twice', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (target, patch) => {
        const once = mergePatch(target, patch);
        expect(mergePatch(once, patch)).to.deep.equal(once);
      }),
    );
  });

  it('leaves members that the patch does not name as they are', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (target, patch) => {
        const merged = new Map(Object.entries(mergePatch(target, patch) as object));
        for (const [member, value] of Object.entries(target)) {
          if (!Object.hasOwn(patch, member)) expect(merged.get(member)).to.deep.equal(value);
        }
      }),
    );
  });

  it('changes neither the target nor the patch', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        mergePatch(deepFrozen(target), deepFrozen(patch));
        expect(JSON.stringify([target, patch])).to.equal(before);
      }),
    );
  });

  describe('with a member called __proto__', () => {
    const hostile = '{"__proto__":{"polluted":true}}';

    it('treats it as data', () => {
      const merged = mergePatch(json('{"a":1}'), json(hostile));
      expect(JSON.stringify(merged)).to.equal('{"a":1,"__proto__":{"polluted":true}}');
    });

    it('changes the prototype of nothing', () => {
      const merged = mergePatch(
        json('{"a":{}}'),
        json(`{"a":${hostile},"constructor":{"prototype":{"polluted":true}}}`),
      );
      expect(Object.getPrototypeOf(merged)).to.equal(Object.prototype);
      expect(Object.getPrototypeOf((merged as { a: object }).a)).to.equal(Object.prototype);
      expect({}).not.to.have.property('polluted');
    });

    it('merges it with the one of the target, and removes it by null', () => {
      const target = json('{"__proto__":{"a":1}}');
      expect(JSON.stringify(mergePatch(target, json('{"__proto__":{"b":2}}')))).to.equal('{"__proto__":{"a":1,"b":2}}');
      expect(JSON.stringify(mergePatch(target, json('{"__proto__":null}')))).to.equal('{}');
    });

    it('does not merge it with the prototype of a target that has none', () => {
      expect(JSON.stringify(mergePatch({}, json('{"__proto__":{"b":2,"toString":null}}')))).to.equal(
        '{"__proto__":{"b":2}}',
      );
      expect(JSON.stringify(mergePatch({}, json('{"constructor":{"b":2}}')))).to.equal('{"constructor":{"b":2}}');
    });
  });
});

describe('isJsonObject', () => {
  const cases: readonly (readonly [value: unknown, answer: boolean])[] = [
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    ['a', false],
    [1, false],
    [undefined, false],
  ];
  for (const [value, answer] of cases) {
    it(`says ${answer} of ${JSON.stringify(value)}`, () => {
      expect(isJsonObject(value)).to.equal(answer);
    });
  }
});
