import { type ResourceDescription, readOnly, readOnlyLink } from '@zonewright/api-description';
import type { NamesOfZone, ZoneEvaluation } from '@zonewright/core';
import { z } from 'zod';
import { versionOfContent } from '../../resources/entity-tag.ts';
import { iri } from '../../resources/iri.ts';
import { Item } from '../../resources/resource.ts';
import { withShownSubjects } from '../shown-subjects.ts';
import { Phase, Shown, Tri } from './evaluation-phases.ts';

const dispositions = [
  'rejected',
  'block',
  'challenge',
  'redirect',
  'unauthorized',
  'maintenance',
  'noBackend',
  'serve',
] as const;

const reasons = [
  'method',
  'target.character',
  'target.length',
  'target.form',
  'target.scheme',
  'authority',
  'header.name',
  'header.value',
  'header.size',
] as const;

const CanonicalRequest = z.object({
  method: z.string(),
  scheme: z.enum(['http', 'https']),
  host: z.string(),
  path: z.string(),
  query: z.string(),
  form: z.enum(['origin', 'asterisk', 'absolute']),
  ip: z.string().optional(),
  country: z.string().optional(),
  asn: z.int().nullable().optional(),
  status: z.int().optional(),
  unknown: z.array(z.enum(['ip', 'country', 'asn', 'cookies', 'headers'])),
});

const Written = z.object({ value: z.unknown(), from: z.string() });
const overwritten = z.array(z.string());

const Setting = z.union([Written.extend({ overwritten }), z.object({ alternatives: z.array(Written), overwritten })]);

const HeaderOperations = z.array(z.object({ name: z.string(), value: z.string() }));

const KeyPart = z.object({
  part: z.enum(['class', 'scheme', 'host', 'path', 'query', 'cookie', 'country', 'header']),
  name: z.string().optional(),
  state: z.enum(['present', 'absent', 'unknown']),
  value: Shown.optional(),
});

const Cache = z.object({
  class: z.enum(['static', 'dynamic', 'unknown']),
  eligible: Tri,
  reasons: z.array(z.enum(['disabled', 'method', 'authorization', 'classDisabled', 'ttl'])),
  ttl: z.object({ source: z.enum(['origin', 'setting', 'unknown']), seconds: z.int().optional() }).optional(),
  contentTypes: z.array(z.string()).optional(),
  key: z.object({ parts: z.array(KeyPart), sha256: z.string().optional() }).optional(),
});

const Origin = z.object({
  backend: z.string().optional(),
  method: z.string().optional(),
  servers: z
    .array(
      z.object({
        originServer: z.string(),
        protocol: z.enum(['http', 'https']),
        address: z.string(),
        port: z.int(),
        host: z.string(),
        weight: z.int(),
      }),
    )
    .optional(),
  target: z.string().optional(),
  headers: z.object({ remove: z.array(z.string()), set: HeaderOperations }).optional(),
});

const ResponseChanges = z.object({
  strip: z.array(z.string()).optional(),
  cacheControl: z.string().nullable().optional(),
  remove: z.array(z.string()).optional(),
  set: HeaderOperations.optional(),
  add: HeaderOperations.optional(),
  debug: Tri,
});

/** The effect of a zone's configuration on a request. */
export const evaluationResource: ResourceDescription = {
  type: 'Evaluation',
  title: 'evaluation',
  description: 'What the configuration of a zone does to a request, step by step.',
  schema: z.object({
    zone: readOnlyLink('Zone', 'The zone.'),
    revision: readOnly(z.int().min(1), 'Number of the revision that was evaluated, or on which the draft is based.'),
    draft: readOnly(z.boolean(), 'Whether a draft was evaluated: a `patch`, or an open change set.'),
    constantsVersion: readOnly(z.int().min(1), 'Version of the fixed lists of the cache.'),
    request: readOnly(
      CanonicalRequest,
      'The normalized request that rules are matched against; absent if it is rejected. `unknown` lists the facts that are unknown.',
    ).optional(),
    disposition: readOnly(
      z.enum([...dispositions, 'unknown']),
      'What happens to the request; `unknown` if several things are possible with the given facts.',
    ),
    dispositions: readOnly(z.array(z.enum(dispositions)), 'All possible outcomes, in the order of the phases.'),
    status: readOnly(z.int(), 'Status of the response, unless it comes from the cache or the origin.').optional(),
    location: readOnly(z.string(), 'The `Location` field of a redirect.').optional(),
    reason: readOnly(z.enum(reasons), 'Why the request is rejected.').optional(),
    phases: readOnly(z.array(Phase), 'The phases that were reached, in order, with each of their rules.').optional(),
    settings: readOnly(
      z.record(z.string(), Setting),
      'Each effective setting and its source: `zone` or the address of a rule. Custom pages are shown as their size.',
    ).optional(),
    cache: readOnly(Cache, 'Whether and how the response is cached.').optional(),
    origin: readOnly(Origin, 'Where the request is sent, and the request that the origin receives.').optional(),
    response: readOnly(
      ResponseChanges,
      'Changes to a response from the cache or the origin, in the order of the members.',
    ).optional(),
  }),
};

/** Names rules and backends by IRI. */
export const addressesOf: NamesOfZone = ({ id: zoneId, organizationId }) => ({
  rule: (kind, id) => iri.rule({ zoneId, kind, id }),
  originServer: (id) => iri.originServer({ organizationId, id }),
  loadBalancer: (id) => iri.loadBalancer({ organizationId, id }),
});

/** An evaluation at the requested address; its version is derived from its content. */
export function presentEvaluation(
  { zoneId, revision, isDraft, evaluation }: ZoneEvaluation,
  address = iri.evaluation(zoneId),
): Item {
  const members = { zone: iri.zone(zoneId), revision, draft: isDraft, ...withShownSubjects(evaluation) };
  return new Item({ type: 'Evaluation', iri: address, version: versionOfContent(members), members });
}

/** An evaluation that cannot be read again by address, because its input is not stored. */
export function presentUnkeptEvaluation(evaluation: ZoneEvaluation, address?: string): Item {
  const { type, iri: at, members } = presentEvaluation(evaluation, address);
  return new Item({ type, iri: at, members });
}
