import { always, type Recipes } from './recipe.ts';

const token = 'x'.repeat(43);

/** Accounts have no edges: what reaches these routes from them is refused. */
export const edgeRecipes: Recipes = {
  'POST /edge/v1/enrolments': always(() => ({ path: '/edge/v1/enrolments', body: { token } })),
  'GET /edge/v1/changes': always(() => ({ path: '/edge/v1/changes' })),
  'GET /edge/v1/documents/:digest': always(() => ({ path: `/edge/v1/documents/sha256:${'0'.repeat(64)}` })),
  'PUT /edge/v1/state': always(() => ({ path: '/edge/v1/state', body: {} })),
};
