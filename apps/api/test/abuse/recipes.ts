import { recipesOutsideZones } from './account-recipes.ts';
import { edgeRecipes } from './edge-recipes.ts';
import { identityRecipes } from './identity-recipes.ts';
import type { Recipes } from './recipe.ts';
import { recipesOfZones } from './zone-recipes.ts';

/** The most expensive flood of every route of the API. A test requires one of each row of the route table. */
export const recipes: Recipes = { ...recipesOutsideZones, ...identityRecipes, ...edgeRecipes, ...recipesOfZones };
