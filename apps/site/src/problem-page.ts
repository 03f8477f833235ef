import { scriptlessPage } from './content-security-policy.ts';
import { escaped } from './html.ts';
import type { StaticDocument } from './static-file.ts';

/** A page about one problem type, for clients that dereference its `type` (RFC 9457 section 3.1.1). */
export interface ProblemPage {
  readonly type: string;
  readonly title: string;
  readonly statuses: readonly number[];
  /** One sentence for each case. */
  readonly meanings: readonly string[];
  readonly advice: string;
}

/** The page for people, at the address of the problem type. */
export const problemPage = (page: ProblemPage): StaticDocument => ({
  ...scriptlessPage,
  path: page.type,
  body: html(page),
});

const html = ({ type, title, statuses, meanings, advice }: ProblemPage): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${escaped(title)} – Zonewright</title>
    <link rel="icon" href="../favicon.svg" type="image/svg+xml">
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
