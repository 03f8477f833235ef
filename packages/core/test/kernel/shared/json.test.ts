import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonOf,
  mergePatch,
  mergePatchBetween,
  storedDocument,
} from '../../../src/kernel/shared/json.ts';

/** Parsed like a body: `__proto__` becomes an own member. */
const json = (text: string): Json => JSON.parse(text) as Json;

const anyJson = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
const anyObject = fc.dictionary(
  fc.oneof(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), fc.string()),
  anyJson,
);

const members = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');

/** What a merge patch can express: objects and lists, nested, without null. */
const { document: anyDocument } = fc.letrec<{ value: Json; document: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.oneof(fc.boolean(), fc.integer({ min: 1, max: 3 }), fc.constantFrom('', 'a')),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('document'),
  ),
  document: fc.dictionary(members, tie('value'), { maxKeys: 4 }),
}));

/** Shuffles members on every level. */
function reordered(value: Json): Json {
  if (Array.isArray(value)) return value.map((entry: Json) => reordered(entry));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([member, inner]) => [member, reordered(inner)]),
  );
}

/** The same text for equal values, whatever the order of members; includes a member called __proto__. */
const canonical = (value: Json): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFrozen(member);
  }
  return value;
}

/** Whether an object, outside lists, has a null member. */
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

  it('treats a missing target as an empty object, dropping nulls of the patch', () => {
    expect(mergePatch(undefined, { a: { b: null, c: 1 }, d: null })).to.deep.equal({ a: { c: 1 } });
    fc.assert(fc.property(anyObject, (patch) => !hasNullMember(mergePatch(undefined, patch))));
  });

  it('keeps nulls inside lists', () => {
    expect(mergePatch({}, { a: [null, { b: null }] })).to.deep.equal({ a: [null, { b: null }] });
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (target, patch) => {
        const once = mergePatch(target, patch);
        expect(mergePatch(once, patch)).to.deep.equal(once);
      }),
    );
  });

  it('keeps members that the patch does not contain', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (target, patch) => {
        const merged = new Map(Object.entries(mergePatch(target, patch)));
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

    it('changes no prototype', () => {
      const merged = mergePatch(
        json('{"a":{}}'),
        json(`{"a":${hostile},"constructor":{"prototype":{"polluted":true}}}`),
      );
      expect(Object.getPrototypeOf(merged)).to.equal(Object.prototype);
      expect(Object.getPrototypeOf((merged as { a: object }).a)).to.equal(Object.prototype);
      expect({}).not.to.have.property('polluted');
    });

    it('merges it with the target, and removes it with null', () => {
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

describe('mergePatchBetween', () => {
  const examples: readonly (readonly [before: string, after: string, patch: string])[] = [
    ['{}', '{}', '{}'],
    ['{"a":1,"b":{"c":[1]}}', '{"b":{"c":[1]},"a":1}', '{}'],
    ['{"a":1}', '{"a":2}', '{"a":2}'],
    ['{"a":1}', '{"a":1,"b":2}', '{"b":2}'],
    ['{"a":1,"b":2}', '{"a":1}', '{"b":null}'],
    ['{"a":{"b":1,"c":2}}', '{"a":{"b":1,"c":3}}', '{"a":{"c":3}}'],
    ['{"a":{"b":1}}', '{"a":{}}', '{"a":{"b":null}}'],
    ['{"a":{"b":1}}', '{}', '{"a":null}'],
    ['{}', '{"a":{"b":{}}}', '{"a":{"b":{}}}'],
    ['{"a":{"b":1}}', '{"a":[1]}', '{"a":[1]}'],
    ['{"a":[1]}', '{"a":{"b":1}}', '{"a":{"b":1}}'],
    ['{"a":1}', '{"a":{}}', '{"a":{}}'],
    ['{"a":[1,2]}', '{"a":[2,1]}', '{"a":[2,1]}'],
    ['{"a":[1,2]}', '{"a":[1]}', '{"a":[1]}'],
    ['{"a":[{"b":1,"c":2}]}', '{"a":[{"c":2,"b":1}]}', '{}'],
    ['{"a":[{"b":1}]}', '{"a":[{"b":1,"c":2}]}', '{"a":[{"b":1,"c":2}]}'],
    ['{"a":false}', '{"a":0}', '{"a":0}'],
    ['{"a":"1"}', '{"a":1}', '{"a":1}'],
    ['{"a":{}}', '{"a":[]}', '{"a":[]}'],
    ['{}', '{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
    ['{"__proto__":{"a":1}}', '{}', '{"__proto__":null}'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1,"b":2}}', '{"__proto__":{"b":2}}'],
    ['{}', '{"constructor":1,"toString":{}}', '{"constructor":1,"toString":{}}'],
  ];
  for (const [before, after, patch] of examples) {
    it(`from ${before} to ${after} is ${patch}`, () => {
      const between = mergePatchBetween(json(before) as JsonObject, json(after) as JsonObject);
      expect(JSON.stringify(between)).to.equal(patch);
      expect(canonical(mergePatch(json(before), between))).to.equal(canonical(json(after)));
    });
  }

  it('turns any document into any other one', () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, (before, after) => {
        const patch = mergePatchBetween(before, after);
        expect(canonical(mergePatch(before, patch))).to.equal(canonical(after));
      }),
    );
  });

  it('is undone by the patch in the other direction', () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, (before, after) => {
        const there = mergePatch(before, mergePatchBetween(before, after));
        expect(canonical(mergePatch(there, mergePatchBetween(after, before)))).to.equal(canonical(before));
      }),
    );
  });

  it('is empty between documents that differ in the order of members only', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        expect(mergePatchBetween(document, reordered(document) as JsonObject)).to.deep.equal({});
      }),
    );
  });

  it('contains no unchanged member, on any level', () => {
    const isSmallest = (before: JsonObject, patch: JsonObject): boolean =>
      Object.entries(patch).every(([member, value]) => {
        const old = Object.hasOwn(before, member) ? before[member] : undefined;
        if (old === undefined) return value !== null;
        if (isJsonObject(old) && isJsonObject(value)) return Object.keys(value).length > 0 && isSmallest(old, value);
        return value === null || canonical(old) !== canonical(value);
      });
    fc.assert(
      fc.property(anyDocument, anyDocument, (before, after) => isSmallest(before, mergePatchBetween(before, after))),
    );
  });

  it('changes neither document', () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, (before, after) => {
        const text = JSON.stringify([before, after]);
        mergePatchBetween(deepFrozen(before), deepFrozen(after));
        expect(JSON.stringify([before, after])).to.equal(text);
      }),
    );
  });
});

describe('jsonOf', () => {
  it('reads the text of a document, and a member called __proto__ as data', () => {
    expect(JSON.stringify(jsonOf(storedDocument('{"a":[1,null],"__proto__":{"b":2}}')))).to.equal(
      '{"a":[1,null],"__proto__":{"b":2}}',
    );
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
    it(`is ${answer} for ${JSON.stringify(value)}`, () => {
      expect(isJsonObject(value)).to.equal(answer);
    });
  }
});
