import { type ProblemPage, problemPage, type StaticDocument } from '@zonewright/site';
import { mediaTypes } from './media-types.ts';
import type { Problem } from './problems/problem.ts';
import { type ApiError, problems } from './problems/problems.ts';
import { unreadableRequest } from './problems/unreadable-request.ts';
import type { DescribedRoute } from './route.ts';

/** Contents of `/errors/<slug>` for every problem type. */
export const problemPages = (routes: readonly DescribedRoute[]): readonly ProblemPage[] => [
  ...slugs.map((slug) => pageOf(slug, routes)),
  { ...unreadableRequest, type: typeOf(unreadableRequest.slug), meanings: [unreadableRequest.detail] },
];

const slugs = [...new Set(Object.values(problems).map(({ slug }) => slug))].toSorted();

const typeOf = (slug: string): string => `/errors/${slug}`;

function pageOf(slug: string, routes: readonly DescribedRoute[]): ProblemPage {
  const rows = Object.entries(problems).filter(([, problem]) => problem.slug === slug);
  const described = rows.flatMap(([tag, problem]) => [
    problem,
    // `Object.entries` loses the key type.
    ...overridesOf(tag as ApiError['type'], problem, routes),
  ]);
  return {
    type: typeOf(slug),
    title: described[0]?.title ?? slug,
    statuses: [...new Set(described.map(({ status }) => status))].toSorted((a, b) => a - b),
    meanings: [...new Set(described.map(({ detail }) => detail))],
    advice: described[0]?.advice ?? '',
  };
}

const overridesOf = (tag: ApiError['type'], problem: Problem, routes: readonly DescribedRoute[]): readonly Problem[] =>
  routes.flatMap((route) => {
    const override = route.problems[tag];
    return override === undefined ? [] : [{ ...problem, ...override }];
  });

/** The pages as documents: HTML for people, JSON for programs. */
export const errorPages = (routes: readonly DescribedRoute[]): readonly StaticDocument[] =>
  problemPages(routes).flatMap((page) => [
    problemPage(page),
    ...[mediaTypes.json, mediaTypes.problem].map((type) => ({
      path: page.type,
      mediaType: `${type}; charset=utf-8`,
      body: JSON.stringify(asProblem(page)),
    })),
  ]);

/** The members that all occurrences of a problem type share (RFC 9457 section 3.1). */
const asProblem = ({ type, title, statuses, meanings, advice }: ProblemPage) => ({
  type,
  title,
  status: statuses[0],
  detail: meanings.join(' '),
  statuses,
  advice,
});
