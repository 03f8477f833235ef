export { type CookieName, cookieNames } from './cookie-names.ts';
export { describingDocuments, docsSections } from './documents.ts';
export { contextIri } from './linked-data/context-iri.ts';
export { linkedDataDocuments } from './linked-data/linked-data-documents.ts';
export { resourceClasses } from './linked-data/resource-classes.ts';
export { documentationLink } from './linked-data/vocabulary.ts';
export { type Format, mediaTypes } from './media-types.ts';
export { operationsOf, resourcesOf } from './model.ts';
export { openApiDocument } from './openapi/document.ts';
export { mapSubschemas, refTo, type Schema } from './openapi/json-schema.ts';
export { problemPages } from './problem-pages.ts';
export type { Problem } from './problems/problem.ts';
export { type ProblemType, problemTypes } from './problems/problem-types.ts';
export { type ApiError, type ProblemOverrides, problems } from './problems/problems.ts';
export {
  type ComputationLost,
  type ForeignOrigin,
  type HttpError,
  type MisplacedCredential,
  payloadsUnread,
  type SeveralCredentials,
  type ThreadsBusy,
} from './problems/request-errors.ts';
export { unreadableRequest } from './problems/unreadable-request.ts';
export {
  type AnswerDescription,
  type BodyDescription,
  created,
  createdOrFound,
  described,
  exampleToken,
  item,
  link,
  list,
  listAsObject,
  listOf,
  type MemberText,
  mergePatchOn,
  nothing,
  object,
  type ResourceDescription,
  readOnly,
  readOnlyLink,
  readOnlyMembers,
  redirect,
  timestamp,
  uuid,
  whole,
} from './resource-description.ts';
export { type Access, type CookieUse, type DescribedRoute, permissionsOf, type RoutePermission } from './route.ts';
