import { unreadableRequest } from '../http/client-error.ts';
import { mediaTypes } from '../http/negotiation.ts';
import type { Route } from '../http/route.ts';
import { contentSecurityPolicy } from '../http/security-headers.ts';
import { escaped } from '../site/html.ts';
import type { StaticDocument } from '../site/static-server.ts';
import { type ApiError, advice, type Problem, type ProblemSlug, problems } from './problems.ts';

/** A page about one problem type, for clients that dereference its `type` (RFC 9457 section 3.1.1). */
export interface ProblemPage {
  readonly type: string;
  readonly title: string;
  readonly statuses: readonly number[];
  /** One sentence for each case. */
  readonly meanings: readonly string[];
  readonly advice: string;
}

/** Contents of `/errors/<slug>` for every problem type. */
export const problemPages = (routes: readonly Route[]): readonly ProblemPage[] => [
  // `Object.keys` loses the key type.
  ...(Object.keys(advice) as ProblemSlug[]).toSorted().map((slug) => pageOf(slug, routes)),
  { ...unreadableRequest, type: typeOf(unreadableRequest.slug), meanings: [unreadableRequest.detail] },
];

const typeOf = (slug: string): string => `/errors/${slug}`;

function pageOf(slug: ProblemSlug, routes: readonly Route[]): ProblemPage {
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
    advice: advice[slug],
  };
}

const overridesOf = (tag: ApiError['type'], problem: Problem, routes: readonly Route[]): readonly Problem[] =>
  routes.flatMap((route) => {
    const override = route.problems[tag];
    return override === undefined ? [] : [{ ...problem, ...override }];
  });

/** The pages as documents: HTML for people, JSON for programs. */
export const errorPages = (routes: readonly Route[]): readonly StaticDocument[] =>
  problemPages(routes).flatMap((page) => [
    { path: page.type, mediaType: 'text/html; charset=utf-8', headers: pageHeaders, body: html(page) },
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

/** The page loads only its style sheet. */
const pageHeaders = {
  'Content-Security-Policy': contentSecurityPolicy({ 'style-src': "'self'" }),
} as const;

const html = ({ type, title, statuses, meanings, advice }: ProblemPage): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${escaped(title)} – Zonewright</title>
    <link rel="stylesheet" href="../pages/page.css">
  </head>
  <body>
    <header class="brand"><a href="../">Zonewright</a></header>
    <main>
      <h1>${escaped(title)}</h1>
      <p>Problem type <code>${escaped(type)}</code>, status ${statuses.join(' or ')}.</p>
      <section>
        <h2>What it means</h2>
        <ul>${meanings.map((meaning) => `<li>${escaped(meaning)}</li>`).join('')}</ul>
      </section>
      <section>
        <h2>What to do</h2>
        <p>${escaped(advice)} The <a href="../api/docs#handle-errors">guide</a> says how to read errors.</p>
      </section>
    </main>
  </body>
</html>
`;
