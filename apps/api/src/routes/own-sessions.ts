import { PageQuery } from '../http/query.ts';
import { sessionRoute } from '../http/route.ts';
import { noContent } from '../http/route-row.ts';
import { presentSessions, sessionResource } from '../present/session.ts';
import { list } from '../resources/description.ts';
import { sessionParameter } from './parameters.ts';

/** The sessions of the caller. */
export const ownSessionRoutes = [
  sessionRoute({
    method: 'get',
    path: '/api/users/me/sessions',
    cost: 'constant',
    permission: 'session',
    summary: 'List your sessions.',
    description: 'Active sessions, most recently used first.',
    answers: list(sessionResource),
    query: PageQuery,
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
    ...noContent,
    run: ({ caller, useCases }) => useCases.endOtherSessions(caller),
  }),
  sessionRoute({
    method: 'delete',
    path: '/api/users/me/sessions/:id',
    cost: 'constant',
    permission: 'session',
    summary: 'End one of your sessions.',
    description: 'Its tokens stop working immediately. You can end the current session.',
    ...noContent,
    params: sessionParameter,
    run: ({ caller, params, useCases }) => useCases.endSession(caller, params.id),
  }),
];
