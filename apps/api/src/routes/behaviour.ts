import { comparedBackends, type UseCases } from '@zonewright/core';
import { z } from 'zod';
import { formats } from '../http/negotiation.ts';
import { protectedRoute, revalidated } from '../http/route.ts';
import { limitsOf } from '../limits/rate-limits.ts';
import { behaviourDiffResource, presentBehaviour } from '../present/behaviour.ts';
import { item } from '../resources/description.ts';
import { changeSetParameters, diffParameters } from './parameters.ts';

export type BehaviourUseCases = Pick<UseCases, 'compareBehaviour' | 'compareChangeSet'>;

const BehaviourQuery = z.object({
  backends: z.enum(comparedBackends).default('then').meta({
    description:
      'Backends as they were when the first revision was made and when the second one was last the current one, or those of now for both.',
  }),
});

export const behaviourRoutes = ({ compareBehaviour, compareChangeSet }: BehaviourUseCases) => [
  protectedRoute({
    method: 'get',
    path: '/api/zones/:zoneId/revisions/:number/behaviour/:other',
    summary: 'Find out which requests two revisions of a zone treat differently.',
    description:
      'Each change comes with the rules that are the reason and a request that shows it. If nothing changes for any request, the answer says so, and it is proven.',
    answers: item(behaviourDiffResource),
    refuses: ['AnalysisBusy'],
    formats: formats.plainFirst,
    params: diffParameters,
    query: BehaviourQuery,
    limits: ({ caller }) => limitsOf.analyze(caller),
    run: ({ caller, params, query }) =>
      compareBehaviour(caller, params.zoneId, { from: params.number, to: params.other, backends: query.backends }),
    present: (behaviour) => ({ body: presentBehaviour(behaviour), cacheControl: revalidated }),
  }),
  protectedRoute({
    method: 'get',
    path: '/api/zones/:zoneId/change-sets/:id/behaviour',
    summary: 'Find out which requests a zone treats differently with a change set.',
    description:
      'Of an applied change set, the revision that it made is compared with the one before. The backends are those of now.',
    answers: item(behaviourDiffResource),
    refuses: ['AnalysisBusy', 'InvalidInput', 'ChangeSetClosed', 'MergeConflicted'],
    formats: formats.plainFirst,
    params: changeSetParameters,
    limits: ({ caller }) => limitsOf.analyze(caller),
    run: ({ caller, params }) => compareChangeSet(caller, params.zoneId, params.id),
    present: (behaviour) => ({ body: presentBehaviour(behaviour), cacheControl: revalidated }),
  }),
];
