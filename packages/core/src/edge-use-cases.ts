import { authenticateEdge } from './edges/authenticate-edge.ts';
import { enrolEdge } from './edges/enrol-edge.ts';
import { readChanges, readEdgeDocument, reportEdgeState } from './edges/read-changes.ts';
import { readDelivery } from './edges/zone-delivery.ts';

/** The use cases of edges, before their ports are known. */
export const edgeUseCases = {
  enrolEdge,
  authenticateEdge,
  readChanges,
  readEdgeDocument,
  reportEdgeState,
  readDelivery,
};
