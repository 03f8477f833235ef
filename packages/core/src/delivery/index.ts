/** Edges, and what they have of zones. */

export type { AddedEdge, EdgeDraft } from './edges/administer-edges.ts';
export { type AuthenticateEdge, mayBeEdgeKey } from './edges/authenticate-edge.ts';
export * from './edges/edge.ts';
export type { DocumentChecks } from './edges/edge-checks.ts';
export type { DocumentAddresses } from './edges/edge-document.ts';
export { type EdgeState, StateReport } from './edges/edge-state.ts';
export type { EnrolledEdge } from './edges/enrol-edge.ts';
export * from './edges/errors.ts';
export { noPublications } from './edges/no-publications.ts';
export type * from './edges/ports.ts';
export { type FeedPosition, positionText } from './edges/position.ts';
export {
  firstRound,
  type PublishedBatch,
  type Publishing,
  publishDue,
  republishIfFormatChanged,
} from './edges/publish-due.ts';
export { type FeedAnswer, zonesPerAnswer } from './edges/read-changes.ts';
export { promotable, rollOut } from './edges/roll-out.ts';
export type { DeliveryProblem, ZoneDelivery } from './edges/zone-delivery.ts';
export type { DeliveryRepositories } from './repositories.ts';
