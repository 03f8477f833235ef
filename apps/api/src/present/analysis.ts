import { createHash } from 'node:crypto';
import { type RuleId, type RuleReference, ruleKindOf, type ZoneId } from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../resources/iri.ts';
import type { Members } from '../resources/resource.ts';

/** The types of rules. */
export const ruleTypes = ['AccessRule', 'RewriteRule', 'ConfigurationRule', 'SecurityScenario'] as const;

/** A request that shows something. */
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

/** Gives the addresses of the rules of a zone. */
export const ruleAddress =
  (zoneId: ZoneId) =>
  ({ list, id }: RuleReference): string =>
    // Ids come back from the analysis as they were in the document.
    iri.rule({ zoneId, kind: ruleKindOf(list), id: id as RuleId });

/** The version of what is computed: equal content has equal versions, after a restart as well. */
export const versionOfContent = (members: Members): string =>
  createHash('sha256').update(JSON.stringify(members)).digest('base64url');
