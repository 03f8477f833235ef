/** What others may use of edges, and of what they have of zones. */

export type { AddedEdge, EdgeDraft } from './administer-edges.ts';
export { type AuthenticateEdge, mayBeEdgeKey } from './authenticate-edge.ts';
export * from './edge.ts';
export type { DocumentChecks } from './edge-checks.ts';
export type { DocumentAddresses } from './edge-document.ts';
export { type EdgeState, type RejectedDocument, StateReport } from './edge-state.ts';
export type { EnrolledEdge } from './enrol-edge.ts';
export * from './errors.ts';
export { noPublications } from './no-publications.ts';
export type * from './ports.ts';
export { type FeedPosition, positionText } from './position.ts';
export { markIfMadeDifferently, type Publishing, publishDue } from './publish-due.ts';
export { type FeedAnswer, zonesPerAnswer } from './read-changes.ts';
export { promotable, rollOut } from './roll-out.ts';
export type { DeliveryProblem, ZoneDelivery } from './zone-delivery.ts';
