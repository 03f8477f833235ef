export { builtInPages } from './built-in-pages.ts';
export { docsAssets } from './docs-assets.ts';
export { type DocsSection, docsPage } from './docs-page.ts';
export { homePage } from './home-page.ts';
export { lazy } from './lazy.ts';
export { notFoundPage, notFoundPath } from './not-found-page.ts';
export { type ProblemPage, problemPage } from './problem-page.ts';
export { digestOf, lazyFile, type StaticDocument, type StaticFile } from './static-file.ts';
