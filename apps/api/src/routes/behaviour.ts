import { comparedBackends, type UseCases } from '@zonewright/core';
import { z } from 'zod';
import { formats } from '../http/negotiation.ts';
import { protectedRoute, revalidated } from '../http/route.ts';
import { limitsOf } from '../limits/rate-limits.ts';
import { behaviourDiffResource, presentBehaviour } from '../present/behaviour.ts';
import { item } from '../resources/description.ts';
import { diffParameters } from './parameters.ts';

export type BehaviourUseCases = Pick<UseCases, 'compareBehaviour'>;

const BehaviourQuery = z.object({
  backends: z.enum(comparedBackends).default('then').meta({
    description:
      'Backends as they were when the first revision was made and when the second one was last the current one, or those of now for both.',
  }),
});

export const behaviourRoutes = ({ compareBehaviour }: BehaviourUseCases) => [
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
];
