import { item } from '@zonewright/api-description';
import { comparedBackends, readPermissions } from '@zonewright/core';
import { z } from 'zod';
import { revalidated } from '../../http/answer.ts';
import { limitsOf } from '../../http/limits.ts';
import { protectedRoute } from '../../http/route.ts';
import { behaviourDiffResource, presentBehaviour } from '../../present/review/behaviour.ts';
import { changeSetParameters, diffParameters } from '../parameters.ts';

const BehaviourQuery = z.object({
  backends: z.enum(comparedBackends).default('then').meta({
    description:
      'Which backends to use: `then` for those at the time of each revision (when the first was created, and when the second was last the current one), `now` for the current ones on both sides.',
  }),
});

export const behaviourRoutes = [
  protectedRoute({
    method: 'get',
    path: '/api/zones/:zoneId/revisions/:number/behaviour/:other',
    cost: 'computed',
    permission: readPermissions.zones,
    summary: 'Find out which requests two revisions of a zone treat differently.',
    description:
      'Each change names the rules that cause it and includes a request that demonstrates it. `harmless` means it is proven that no request is treated differently.',
    answers: item(behaviourDiffResource),
    errors: ['AnalysisBusy'],
    params: diffParameters,
    query: BehaviourQuery,
    limits: ({ caller }) => limitsOf.analyze(caller),
    run: ({ caller, params, query, useCases }) =>
      useCases.compareBehaviour(caller, params.zoneId, {
        from: params.number,
        to: params.other,
        backends: query.backends,
      }),
    present: (behaviour) => revalidated(presentBehaviour(behaviour)),
  }),
  protectedRoute({
    method: 'get',
    path: '/api/zones/:zoneId/change-sets/:id/behaviour',
    cost: 'computed',
    permission: readPermissions.zones,
    summary: 'Find out which requests a zone treats differently with a change set applied.',
    description:
      'For an applied change set, the revision it created is compared with the one before. Uses the current backends.',
    answers: item(behaviourDiffResource),
    errors: ['AnalysisBusy', 'InvalidInput', 'ChangeSetClosed', 'MergeConflicted'],
    params: changeSetParameters,
    limits: ({ caller }) => limitsOf.analyze(caller),
    run: ({ caller, params, useCases }) => useCases.compareChangeSet(caller, params.zoneId, params.id),
    present: (behaviour) => revalidated(presentBehaviour(behaviour)),
  }),
];
