import { link, type ResourceDescription, readOnly, readOnlyLink } from '@zonewright/api-description';
import {
  analysisVersion,
  findingCodes,
  findingSeverities,
  findingVerdicts,
  type PageRequest,
  type ReportedFinding,
  type ZoneFindings,
  type ZoneId,
} from '@zonewright/core';
import { z } from 'zod';
import { versionOfContent } from '../../resources/entity-tag.ts';
import { iri } from '../../resources/iri.ts';
import { Item, Part } from '../../resources/resource.ts';
import { membersOf } from '../item.ts';
import { ruleAddress, ruleTypes, Witness } from './analysis.ts';

const findingResource = {
  type: 'Finding',
  title: 'finding',
  description: 'A problem in the configuration of a zone.',
  schema: z.object({
    id: readOnly(
      z.string().meta({ examples: ['0f6b3c1d5a7e4f928b1c2d3e4f5a6b7c'] }),
      'Computed from `code`, `rules` and `members`; the same as long as they are.',
    ),
    code: readOnly(z.enum(findingCodes), 'What was found.'),
    severity: readOnly(z.enum(findingSeverities), 'How serious it is.'),
    verdict: readOnly(z.enum(findingVerdicts), '`undecided` if the analysis stopped before it reached a conclusion.'),
    message: readOnly(
      z.string().meta({ examples: ['The rule “Old blog” never matches.'] }),
      'The finding in a sentence, with the names of the rules.',
    ),
    rules: readOnly(
      z.array(link(ruleTypes, 'A rule.')),
      'The rule it is about first, then the other rules involved, by position.',
    ),
    members: readOnly(
      z.array(
        z.string().meta({ examples: ['configurationRules.items.0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e.conditions'] }),
      ),
      'Paths in the zone document.',
    ),
    because: readOnly(z.array(link(ruleTypes, 'A rule.')), 'A minimal set of rules that causes it.').optional(),
    missing: readOnly(z.array(z.string()), 'What the cache key leaves out.').optional(),
    witness: readOnly(
      Witness,
      'A request that demonstrates it, in the form that the evaluation of a request accepts.',
    ).optional(),
    counterpart: readOnly(Witness, 'The second request of a pair.').optional(),
    new: readOnly(
      z.boolean(),
      'For a change set: whether the zone has no finding with this `id` without it.',
    ).optional(),
  }),
} satisfies ResourceDescription;

const exampleView = {
  '@id': '/api/zones/0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e/findings?page=1',
  '@type': 'PartialCollectionView',
  first: '/api/zones/0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e/findings?page=1',
  last: '/api/zones/0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e/findings?page=1',
};

/** The facts that hold for every request to a zone. */
export const findingsResource: ResourceDescription = {
  type: 'Findings',
  title: 'findings',
  description: 'Findings about the configuration of a zone that hold for all requests.',
  parts: [findingResource],
  schema: z.object({
    zone: readOnlyLink('Zone', 'The zone.'),
    revision: readOnly(z.int().min(1), 'Number of the revision that was analysed.'),
    draft: readOnly(z.boolean(), 'Whether an open change set was analysed.'),
    analysisVersion: readOnly(
      z.int().min(1),
      'Increases whenever the same configuration may yield different findings.',
    ),
    complete: readOnly(
      z.boolean(),
      'Whether every finding with one of the codes `rule.neverMatches`, `rule.alwaysMatches`, `rule.unreachable`, `rule.equal`, `override.dead` and `settings.contradiction` was decided. If so, those that are not listed do not hold.',
    ),
    totalItems: readOnly(z.int().min(0), 'Number of findings that pass the filters, on all pages.'),
    member: readOnly(z.array(findingResource.schema), 'The findings of this page.'),
    view: readOnly(
      z.object({
        '@id': z.string(),
        '@type': z.literal('PartialCollectionView'),
        first: z.string(),
        last: z.string(),
        previous: z.string().optional(),
        next: z.string().optional(),
      }),
      'Links to this page and its neighbours.',
    ).meta({ examples: [exampleView] }),
  }),
};

/** The findings of a zone, at the requested `address`. Their version is derived from their content. */
export function presentFindings(
  { zoneId, revision, isDraft, complete, items, totalItems }: ZoneFindings,
  { address, page }: { readonly address: string; readonly page: PageRequest },
): Item {
  const members = {
    zone: iri.zone(zoneId),
    revision,
    draft: isDraft,
    analysisVersion,
    complete,
    totalItems,
    member: items.map((finding) => presentFinding(zoneId, finding)),
  };
  return new Item({
    type: findingsResource.type,
    iri: address,
    version: versionOfContent(members),
    members,
    paging: { page, totalItems },
  });
}

function presentFinding(zoneId: ZoneId, finding: ReportedFinding): Part {
  const addressOf = ruleAddress(zoneId);
  const { rules, because, isNew } = finding;
  const shown = { ...finding, rules: rules.map(addressOf), because: because?.map(addressOf), new: isNew };
  return new Part({ type: findingResource.type, members: membersOf(findingResource, shown) });
}
