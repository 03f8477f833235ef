import { readPermissions } from '@zonewright/core';
import { z } from 'zod';
import { anyInteger, waitSeconds } from '../../http/query.ts';
import { protectedRoute } from '../../http/route.ts';
import { delivery, presentDelivery } from '../../present/delivery/delivery.ts';
import { zoneParameter } from '../parameters.ts';

const DeliveryQuery = z.object({
  revision: anyInteger.optional().meta({ description: 'The revision to wait for; the present one if omitted.' }),
  wait: waitSeconds.meta({
    description: 'Seconds to wait until every connected edge has applied or rejected the revision or a newer one.',
  }),
});

/** How far changes of zones have come. */
export const deliveryRoutes = [
  protectedRoute({
    method: 'get',
    path: '/api/zones/:id/delivery',
    cost: 'stored',
    permission: readPermissions.zones,
    summary: 'Find out which edges have the present revision of a zone.',
    description:
      'With `wait`, the response comes as soon as every connected edge has applied `revision` or a newer one, or rejected it; ' +
      'otherwise when the time is over.',
    answers: delivery,
    errors: ['InvalidInput'],
    params: zoneParameter,
    query: DeliveryQuery,
    mayWait: true,
    run: ({ caller, params, query: { revision, wait }, useCases }) =>
      useCases.readDelivery(caller, params.id, { revision, waitSeconds: wait }),
    present: (output) => ({ body: presentDelivery(output) }),
  }),
];
