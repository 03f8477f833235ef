import { item } from '@zonewright/api-description';
import {
  type FindingsSelection,
  findingCodes,
  findingSeverities,
  findingVerdicts,
  readPermissions,
} from '@zonewright/core';
import { z } from 'zod';
import { revalidated } from '../../http/answer.ts';
import { limitsOf } from '../../http/limits.ts';
import { allOf, pageParameters } from '../../http/query.ts';
import { protectedRoute } from '../../http/route.ts';
import { findingsResource, presentFindings } from '../../present/review/findings.ts';
import { iri } from '../../resources/iri.ts';
import { changeSetParameters, revisionParameters, zoneParameter } from '../parameters.ts';

const code = z.enum(findingCodes);
const severity = z.enum(findingSeverities);

const FindingsQuery = z.object({
  ...pageParameters,
  code: code.optional().meta({ description: 'Only findings with this code.' }),
  'code[]': z.array(code).optional().meta({ description: 'Any of these codes.' }),
  severity: severity.optional().meta({ description: 'Only findings of this severity.' }),
  'severity[]': z.array(severity).optional().meta({ description: 'Any of these severities.' }),
  verdict: z.enum(findingVerdicts).optional().meta({ description: 'Only findings with this verdict.' }),
  rule: z.string().optional().meta({ description: 'Id of a rule: only findings whose `rules` name it.' }),
});

/** Shared by all lists of findings. */
const row = {
  method: 'get',
  cost: 'computed',
  permission: readPermissions.zones,
  answers: item(findingsResource),
  errors: ['InvalidInput', 'AnalysisBusy'],
  query: FindingsQuery,
} as const;

export const findingsRoutes = [
  protectedRoute({
    ...row,
    path: '/api/zones/:id/findings',
    summary: "List problems in a zone's configuration.",
    description:
      'Reports rules that never match, are never reached or are always overridden, contradictory settings, redirect loops and more. A `proven` finding holds for every request; its `witness` is a request that demonstrates it.',
    params: zoneParameter,
    limits: ({ caller }) => limitsOf.analyze(caller),
    run: ({ caller, params, query, useCases }) =>
      useCases.readFindings(caller, params.id, { ...selectionOf(query), revision: undefined }),
    present: (findings, { params, query }) =>
      revalidated(presentFindings(findings, { address: iri.findings(params.id), page: query })),
  }),
  protectedRoute({
    ...row,
    path: '/api/zones/:zoneId/revisions/:number/findings',
    summary: 'List problems in a revision of a zone.',
    description: 'Uses the current backends.',
    params: revisionParameters,
    limits: ({ caller }) => limitsOf.analyze(caller),
    run: ({ caller, params, query, useCases }) =>
      useCases.readFindings(caller, params.zoneId, { ...selectionOf(query), revision: params.number }),
    present: (findings, { params, query }) =>
      revalidated(presentFindings(findings, { address: `${iri.revision(params)}/findings`, page: query })),
  }),
  protectedRoute({
    ...row,
    path: '/api/zones/:zoneId/change-sets/:id/findings',
    summary: 'List problems in a zone with a change set applied.',
    description:
      'Findings that the zone does not have without the change set are marked `new`. For an applied change set, the revision it created is analysed.',
    errors: [...row.errors, 'ChangeSetClosed', 'MergeConflicted'],
    params: changeSetParameters,
    limits: ({ caller }) => limitsOf.analyze(caller),
    run: ({ caller, params, query, useCases }) =>
      useCases.readChangeSetFindings(caller, params.zoneId, params.id, selectionOf(query)),
    present: (findings, { params, query }) =>
      revalidated(presentFindings(findings, { address: `${iri.changeSet(params)}/findings`, page: query })),
  }),
];

const selectionOf = ({ page, itemsPerPage, ...query }: z.output<typeof FindingsQuery>): FindingsSelection => ({
  page: { page, itemsPerPage },
  filter: {
    codes: allOf(query.code, query['code[]']),
    severities: allOf(query.severity, query['severity[]']),
    verdicts: allOf(query.verdict),
    rule: query.rule,
  },
});
