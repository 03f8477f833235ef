import { expect } from 'chai';
import {
  BasicAuthUserDraft,
  type Json,
  type JsonObject,
  LoadBalancerDraft,
  OriginServerDraft,
  parseDocument,
  type RuleKind,
  ruleKinds,
  ZoneDraft,
} from '../../../src/index.ts';
import { withoutNulls } from '../../../src/kernel/shared/json.ts';
import { overridableSettings } from '../../../src/zones/settings/settings.ts';
import { settingCases } from '../../zones/settings/setting-cases.ts';

const conditions = { logic: 'and', conditions: [{ field: 'header', operator: 'equals', target: 'X-A', value: 'a' }] };
const rules: Readonly<Record<RuleKind, JsonObject>> = {
  configurationRule: {
    name: 'a',
    description: 'b',
    enabled: false,
    conditions,
    stopOnMatch: true,
    settingsOverrides: { minifyHtml: true },
  },
  rewriteRule: {
    name: 'a',
    description: 'b',
    enabled: false,
    operator: 'equals',
    sourcePattern: '/a',
    target: '/b',
    type: 'redirect',
    statusCode: 308,
    preserveQueryString: false,
  },
  accessRule: {
    name: 'a',
    description: 'b',
    enabled: false,
    conditions,
    action: 'skip',
    skipTargets: ['waf'],
    stopOnMatch: true,
  },
  securityScenario: {
    name: 'a',
    enabled: false,
    testing: true,
    scope: 'host',
    type: 'leaky',
    filter: conditions,
    distinct: 'uri',
    capacity: 1,
    leakSpeedSeconds: 1,
    blackholeSeconds: 1,
    action: 'log',
    actionTtlSeconds: 1,
  },
};

const origin = { originServer: '018f3a5e-0000-7000-8000-000000000001', weight: 2, enabled: false };
const documents: readonly (readonly [what: string, schema: Parameters<typeof parseDocument>[0], whole: JsonObject])[] =
  [
    ['a zone', ZoneDraft, { name: 'a', tag: 'dev', organization: 1, zone_settings: { minifyHtml: true } }],
    ...Object.entries(rules).map(
      ([kind, whole]) => [`a rule of the kind ${kind}`, ruleKinds[kind as RuleKind].schema, whole] as const,
    ),
    [
      'an origin server',
      OriginServerDraft,
      { name: 'a', protocol: 'http', address: 'a.example.net', port: 1, requestHostname: 'b.example.net' },
    ],
    [
      'a load balancer',
      LoadBalancerDraft,
      { name: 'a', method: 'ip_hash', requestHostname: 'b.example.net', origins: [origin] },
    ],
    ['a basic-auth user', BasicAuthUserDraft, { username: 'a', comment: 'b', password: 'Secret-1' }],
  ];

/** The paths to all members of objects in a document, including those in lists. */
const pathsIn = (value: Json): readonly (readonly string[])[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [
        ...(Array.isArray(value) ? [] : [[key]]),
        ...pathsIn(inner).map((path) => [key, ...path]),
      ]);

/** The document with a different value at the path; undefined removes the member. */
function withAt(value: Json, [key = '', ...rest]: readonly string[], put: null | undefined): Json {
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map((entry, at) => (String(at) === key ? withAt(entry, rest, put) : entry));
  }
  const { [key]: inner, ...others } = value as JsonObject;
  if (rest.length > 0) return { ...others, [key]: withAt(inner as Json, rest, put) };
  return put === undefined ? others : { ...others, [key]: put };
}

describe('null in client input', () => {
  for (const [what, schema, whole] of documents) {
    for (const path of pathsIn(whole)) {
      it(`means that ${path.join('.')} of ${what} is absent`, () => {
        const [ofNull, ofNothing] = [null, undefined].map((put) => parseDocument(schema, withAt(whole, path, put)));
        expect(parseDocument(schema, whole).isOk()).to.equal(true);
        expect(ofNull).to.deep.equal(ofNothing);
      });
    }
  }

  for (const key of Object.keys(settingCases)) {
    it(`means the default of ${key} in zone settings`, () => {
      const zone = (zone_settings: JsonObject) => parseDocument(ZoneDraft, { name: 'a', zone_settings });
      expect(zone({ [key]: null })).to.deep.equal(zone({}));
    });
  }

  for (const key of Object.keys(overridableSettings)) {
    it(`means that ${key} is not overridden by a rule`, () => {
      const rule = (settingsOverrides: JsonObject) =>
        parseDocument(ruleKinds.configurationRule.schema, { ...rules.configurationRule, settingsOverrides });
      expect(rule({ [key]: null })).to.deep.equal(rule({}));
    });
  }

  it('does not hide unknown members', () => {
    const leaf = { ...conditions.conditions[0], fild: null };
    const document = {
      ...rules.configurationRule,
      name: null,
      nmae: null,
      conditions: { ...conditions, conditions: [leaf] },
    };
    const parsed = parseDocument(ruleKinds.configurationRule.schema, document as JsonObject);
    const violations = parsed.isErr() ? parsed.error.violations : [];
    expect(violations.map(({ propertyPath, code }) => `${propertyPath} ${code}`)).to.have.members([
      'name member.required',
      'nmae member.unknown',
      'conditions.conditions[0].fild member.unknown',
    ]);
  });

  it('is kept as an entry of a list', () => {
    expect(withoutNulls([null, { a: null, b: [null, { c: null }] }, 1])).to.deep.equal([null, { b: [null, {}] }, 1]);
  });
});
