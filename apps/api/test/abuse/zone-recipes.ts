import { aBasicAuthUser, aChangeSet, type RuleListName, ruleLists } from '../support/zone-contents.ts';
import {
  expensiveRule,
  expensiveRules,
  largePages,
  mostRules,
  pageText,
  searchedHeader,
  searchedValue,
} from './largest-zone.ts';
import { always, anyVersion, inTurn, type Recipe, type Recipes, type Scene, several } from './recipe.ts';
import type { AbusedOrganization } from './world.ts';

/** The longest URL whose evaluation takes part of every rule. */
const longUrl = `https://shop.example.com/${'a/'.repeat(900)}`;
const question = `url=${encodeURIComponent(longUrl)}`;
/** A request on which the patterns of the largest zone take longest. */
const facts = { url: longUrl, headers: [{ name: searchedHeader, value: searchedValue }] };
/** A change nobody has asked about before: what is compiled for it is not at hand. */
const unsaved = (number: number) => ({ zone_settings: { cachingDefaultTtl: 1 + (number % 30_000) } });

type ZoneName = 'read' | 'promoted' | 'written' | 'replaced' | 'emptied';

const zonePath = (organization: AbusedOrganization, name: ZoneName): string => `/api/zones/${organization[name].id}`;

/** The same read of the largest zone. */
const reading = (rest: string): Recipe =>
  always(({ organization }) => ({ path: `${zonePath(organization, 'read')}${rest}` }));

const zone = '/api/zones/:id';
const inZone = '/api/zones/:zoneId';

const zoneRecipes: Recipes = {
  'GET /api/zones': always(({ organization: { owner } }) => ({
    path: `/api/zones?organization=${owner.organization}&itemsPerPage=7&order[name]=asc`,
  })),
  'POST /api/zones': ({ organization: { owner } }) => {
    const zone_settings = { customPagesErrorHtml: pageText(0, 250_000) };
    return (number) => ({
      path: '/api/zones',
      body: { name: `flood-${number}`, organization: owner.organization, zone_settings },
    });
  },
  [`GET ${zone}`]: reading(''),
  [`GET ${zone}/delivery`]: reading('/delivery'),
  [`PATCH ${zone}`]: ({ organization }) => {
    const bodies = Array.from({ length: 5 }, (_, at) => JSON.stringify({ zone_settings: largePages(100 + at) }));
    return (number) => ({ path: zonePath(organization, 'written'), body: inTurn(bodies, number) });
  },
  [`POST ${zone}/ban-token`]: always(({ organization }) => ({
    path: `${zonePath(organization, 'written')}/ban-token`,
  })),
  [`DELETE ${zone}`]:
    ({ organization: { spare } }) =>
    (number) => ({ path: `/api/zones/${inTurn(spare, number)}` }),
  'GET /api/organizations/:id/deleted-zones': always(({ organization: { owner } }) => ({
    path: `/api/organizations/${owner.organization}/deleted-zones?itemsPerPage=100`,
  })),
  'GET /api/organizations/:id/deleted-zones/:zoneId': always(({ organization: { owner, deleted } }) => ({
    path: `/api/organizations/${owner.organization}/deleted-zones/${inTurn(deleted, 0)}`,
  })),
  'POST /api/organizations/:id/deleted-zones/:zoneId/restore':
    ({ organization: { owner, deleted } }) =>
    (number) => ({
      path: `/api/organizations/${owner.organization}/deleted-zones/${inTurn(deleted, number)}/restore`,
    }),
};

const analysisRecipes: Recipes = {
  [`GET ${zone}/findings`]: reading('/findings'),
  [`GET ${inZone}/revisions/:number/findings`]: eachRevision((number) => `/revisions/${number}/findings`),
  [`GET ${inZone}/revisions/:number/behaviour/:other`]: eachRevision(
    (number, other) => `/revisions/${number}/behaviour/${other}`,
  ),
  [`GET ${inZone}/change-sets/:id/findings`]: eachDraft('/findings'),
  [`GET ${inZone}/change-sets/:id/behaviour`]: eachDraft('/behaviour'),
  [`GET ${zone}/evaluation`]: eachRevision((number) => `/evaluation?${question}&revision=${number}`),
  [`POST ${zone}/evaluation`]:
    ({ organization }) =>
    (number) => ({
      path: `${zonePath(organization, 'read')}/evaluation`,
      body: { request: facts, patch: unsaved(number) },
    }),
  [`GET ${inZone}/change-sets/:id/evaluation`]: eachDraft(`/evaluation?${question}`),
  [`POST ${inZone}/change-sets/:id/evaluation`]: eachDraft('/evaluation', { request: facts }),
};

const historyRecipes: Recipes = {
  [`GET ${inZone}/revisions`]: reading('/revisions?itemsPerPage=100'),
  [`GET ${inZone}/revisions/:number`]: eachRevision((number) => `/revisions/${number}`),
  [`GET ${inZone}/revisions/:number/diff/:other`]: eachRevision(
    (number, other) => `/revisions/${number}/diff/${other}`,
  ),
  [`POST ${inZone}/revisions/:number/restore`]: eachRevision((number) => `/revisions/${number}/restore`),
  [`GET ${inZone}/promotions`]: always(({ organization }) => ({
    path: `${zonePath(organization, 'promoted')}/promotions?itemsPerPage=100`,
  })),
  // The first into each zone makes a draft; further ones find it.
  [`POST ${inZone}/promotions`]:
    ({ organization: { read, written, emptied, spare } }) =>
    (number) => ({
      path: `/api/zones/${inTurn([written.id, emptied.id, ...spare], number)}/promotions`,
      body: { from: read.id },
    }),
  [`GET ${inZone}/promotions/:id`]: always(({ organization }) => ({
    path: `${zonePath(organization, 'promoted')}/promotions/${inTurn(organization.promoted.promotions, 0)}`,
  })),
};

/** As large as a draft may be. */
const largeDraft = (number: number) => ({ title: `Flood ${number}`, patch: { zone_settings: largePages(number, 3) } });

const draftRecipes: Recipes = {
  [`GET ${inZone}/change-sets`]: reading('/change-sets?itemsPerPage=100'),
  [`POST ${inZone}/change-sets`]: ({ organization }) => {
    const bodies = Array.from({ length: 5 }, (_, at) => JSON.stringify(largeDraft(at)));
    return (number) => ({ path: `${zonePath(organization, 'emptied')}/change-sets`, body: inTurn(bodies, number) });
  },
  [`GET ${inZone}/change-sets/:id`]: eachDraft(''),
  [`PATCH ${inZone}/change-sets/:id`]: async ({ organization, attacker }) => {
    const { id } = await aChangeSet(attacker.user, organization.written);
    const bodies = Array.from({ length: 5 }, (_, at) => JSON.stringify(largeDraft(at)));
    return (number) => ({
      path: `${zonePath(organization, 'written')}/change-sets/${id}`,
      body: inTurn(bodies, number),
    });
  },
  [`DELETE ${inZone}/change-sets/:id`]: newDrafts(''),
  [`POST ${inZone}/change-sets/:id/rebase`]: eachDraft('/rebase', { resolve: { '*': 'yours' } }),
  [`POST ${inZone}/change-sets/:id/apply`]: newDrafts('/apply'),
};

const ruleRecipes = (list: RuleListName): Recipes => {
  const segment = ruleLists[list];
  const path = `${inZone}/${segment}`;
  const at = ({ organization }: Scene, name: ZoneName) => `${zonePath(organization, name)}/${segment}`;
  const rulesAt = ({ organization }: Scene, name: ZoneName) => organization[name].rules[list];
  const common: Recipes = {
    [`GET ${path}`]: reading(`/${segment}?itemsPerPage=100`),
    [`GET ${path}/:id`]: (scene) => (number) => ({
      path: `${at(scene, 'read')}/${inTurn(rulesAt(scene, 'read'), number)}`,
    }),
    [`POST ${path}`]: (scene) => (number) => ({
      path: at(scene, 'written'),
      body: expensiveRule(list, mostRules[list] + number),
    }),
    [`PATCH ${path}/:id`]: (scene) => (number) => ({
      path: `${at(scene, 'written')}/${inTurn(rulesAt(scene, 'written'), 0)}`,
      body: expensiveRule(list, 10_000 + number),
    }),
    [`DELETE ${path}/:id`]: (scene) => (number) => ({
      path: `${at(scene, 'emptied')}/${inTurn(rulesAt(scene, 'emptied'), number)}`,
    }),
  };
  return list === 'securityScenarios' ? common : { ...common, ...orderRecipes(list, path, at, rulesAt) };
};

function orderRecipes(
  list: RuleListName,
  path: string,
  at: (scene: Scene, name: ZoneName) => string,
  rulesAt: (scene: Scene, name: ZoneName) => readonly string[],
): Recipes {
  return {
    [`PUT ${path}`]: (scene) => {
      const rules = expensiveRules(list);
      const bodies = [rules, rules.toReversed()].map((each) => JSON.stringify(each));
      return (number) => ({ path: at(scene, 'replaced'), body: inTurn(bodies, number), headers: anyVersion });
    },
    [`POST ${path}/:id/move`]: (scene) => (number) => ({
      path: `${at(scene, 'written')}/${inTurn(rulesAt(scene, 'written'), 3)}/move`,
      body: { position: 1 + (number % 2) * 10 },
    }),
  };
}

const users = `${inZone}/basic-auth-users`;
const userRecipes: Recipes = {
  [`GET ${users}`]: reading('/basic-auth-users?itemsPerPage=100'),
  [`POST ${users}`]:
    ({ organization }) =>
    (number) => ({
      path: `${zonePath(organization, 'written')}/basic-auth-users`,
      body: { username: `flood-${number}`, password: `Flooding-${number}` },
    }),
  [`GET ${users}/:id`]: eachUser((id) => ({ rest: id })),
  [`PATCH ${users}/:id`]: eachUser((id, number) => ({ rest: id, body: { password: `Flooding-${number}` } })),
  [`DELETE ${users}/:id`]: async ({ organization: { promoted }, attacker }) => {
    const made = await several(20, () => aBasicAuthUser(attacker.user, promoted));
    return (number) => ({ path: `/api/zones/${promoted.id}/basic-auth-users/${inTurn(made, number).id}` });
  },
};

function eachUser(call: (id: string, number: number) => { readonly rest: string; readonly body?: unknown }): Recipe {
  return ({ organization }) =>
    (number) => {
      const { rest, ...body } = call(inTurn(organization.written.basicAuthUsers, number), number);
      return { path: `${zonePath(organization, 'written')}/basic-auth-users/${rest}`, ...body };
    };
}

/** About another revision of the largest zone, and one far from it, with each request. */
function eachRevision(rest: (number: number, other: number) => string): Recipe {
  return ({ organization }) => {
    const { revisions } = organization.read;
    return (number) => ({
      path: `${zonePath(organization, 'read')}${rest(revisions - (number % revisions), 1 + (number % revisions))}`,
    });
  };
}

/** About another draft of the largest zone with each request. */
function eachDraft(rest: string, body?: unknown): Recipe {
  return ({ organization }) =>
    (number) => ({
      path: `${zonePath(organization, 'read')}/change-sets/${inTurn(organization.read.drafts, number)}${rest}`,
      ...(body === undefined ? {} : { body }),
    });
}

/** About one of some new drafts, each of which changes the zone. */
function newDrafts(rest: string): Recipe {
  return async ({ organization: { replaced }, attacker }) => {
    let made = 0;
    const drafts = await several(12, () => {
      made += 1;
      return aChangeSet(attacker.user, replaced, largeDraft(1000 + made));
    });
    return (number) => ({
      path: `/api/zones/${replaced.id}/change-sets/${inTurn(drafts, number).id}${rest}`,
      headers: anyVersion,
    });
  };
}

/** Recipes of the routes of zones. */
export const recipesOfZones: Recipes = {
  ...zoneRecipes,
  ...analysisRecipes,
  ...historyRecipes,
  ...draftRecipes,
  ...ruleRecipes('configurationRules'),
  ...ruleRecipes('rewriteRules'),
  ...ruleRecipes('accessRules'),
  ...ruleRecipes('securityScenarios'),
  ...userRecipes,
};
