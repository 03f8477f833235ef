import { type DescribedRoute, describingDocuments } from '@zonewright/api-description';
import { homePage, notFoundPage, type StaticDocument } from '@zonewright/site';
import { securityTxt } from './security-txt.ts';

/** Everything served besides the routes and the built-in pages. The first document of a path is the default. */
export const documentsOf = (
  routes: readonly DescribedRoute[],
  service: { readonly publicBaseUrl: string; readonly securityContacts: readonly string[] },
): readonly StaticDocument[] => [
  ...describingDocuments(routes, service),
  homePage,
  notFoundPage(service),
  ...securityTxt(service),
];
