import { authenticateEdge } from './edges/authenticate-edge.ts';
import { enrolEdge } from './edges/enrol-edge.ts';
import { readChanges, readEdgeDocument, reportEdgeState } from './edges/read-changes.ts';
import { readDelivery } from './edges/zone-delivery.ts';

/** The factories of the use cases of edges, and of what they have of zones. */
export const deliveryUseCases = {
  enrolEdge,
  authenticateEdge,
  readChanges,
  readEdgeDocument,
  reportEdgeState,
  readDelivery,
};
