import { type RuleId, type RuleReference, ruleKindOf, type ZoneId } from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';

/** JSON-LD types of rules. */
export const ruleTypes = ['AccessRule', 'RewriteRule', 'ConfigurationRule', 'SecurityScenario'] as const;

/** An example request that demonstrates a finding. */
export const Witness = z.object({
  scheme: z.enum(['http', 'https']),
  authority: z.string().meta({ examples: ['www.example.com'] }),
  target: z.string().meta({ examples: ['/blog/2026'] }),
  method: z.string().meta({ examples: ['GET'] }),
  headers: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
  ip: z.string().meta({ examples: ['192.0.2.1'] }),
  country: z.string().meta({ examples: ['DE'] }),
  asn: z.int().nullable(),
  status: z.int().optional(),
});

/** Returns a function that builds the IRIs of a zone's rules. */
export const ruleAddress =
  (zoneId: ZoneId) =>
  ({ list, id }: RuleReference): string =>
    // The analysis returns ids unchanged, so this is a rule's id.
    iri.rule({ zoneId, kind: ruleKindOf(list), id: id as RuleId });
