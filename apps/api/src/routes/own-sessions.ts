import { z } from 'zod';
import { formats } from '../http/negotiation.ts';
import { pageParameters } from '../http/query.ts';
import { sessionRoute } from '../http/route.ts';
import { presentSessions, sessionResource } from '../present/session.ts';
import { list, nothing } from '../resources/description.ts';
import { sessionParameter } from './parameters.ts';

const ListQuery = z.object(pageParameters);

/** The sessions of the caller. */
export const ownSessionRoutes = () => [
  sessionRoute({
    method: 'get',
    path: '/api/users/me/sessions',
    cost: 'constant',
    permission: 'session',
    summary: 'List your sessions.',
    description: 'Active sessions, most recently used first.',
    answers: list(sessionResource),
    formats: formats.plainFirst,
    query: ListQuery,
    run: ({ caller, query, useCases }) => useCases.listSessions(caller, query),
    present: (sessions, { caller, query }) => ({ body: presentSessions(caller)(sessions, query) }),
  }),
  sessionRoute({
    method: 'delete',
    path: '/api/users/me/sessions',
    cost: 'constant',
    permission: 'session',
    summary: 'End all of your other sessions.',
    description: 'Their tokens stop working immediately; the current session and API tokens stay valid.',
    answers: nothing,
    formats: formats.plainFirst,
    run: ({ caller, useCases }) => useCases.endOtherSessions(caller),
    present: () => ({}),
  }),
  sessionRoute({
    method: 'delete',
    path: '/api/users/me/sessions/:id',
    cost: 'constant',
    permission: 'session',
    summary: 'End one of your sessions.',
    description: 'Its tokens stop working immediately. You can end the current session.',
    answers: nothing,
    formats: formats.plainFirst,
    params: sessionParameter,
    run: ({ caller, params, useCases }) => useCases.endSession(caller, params.id),
    present: () => ({}),
  }),
];
