import { statementFile as file } from './statement.ts';

/** The statements of edges and of what they are told, as those of `sql`. */
export const edgeSql = {
  edges: {
    add: file('edges/add.sql'),
    list: file('edges/list.sql'),
    enrol: file('edges/enrol.sql'),
    byKeys: file('edges/by-keys.sql'),
    drain: file('edges/drain.sql'),
    remove: file('edges/remove.sql'),
  },
  edgeStates: {
    record: file('edge-states/record.sql'),
    forget: file('edge-states/forget.sql'),
    serving: file('edge-states/serving.sql'),
  },
  edgeFeed: {
    lock: file('edge-feed/lock.sql'),
    due: file('edge-feed/due.sql'),
    addDocuments: file('edge-feed/add-documents.sql'),
    publish: file('edge-feed/publish.sql'),
    removeMarks: file('edge-feed/remove-marks.sql'),
    markAll: file('edge-feed/mark-all.sql'),
    changes: file('edge-feed/changes.sql'),
    document: file('edge-feed/document.sql'),
    glance: file('edge-feed/glance.sql'),
    forgetDocuments: file('edge-feed/forget-documents.sql'),
    forgetPublications: file('edge-feed/forget-publications.sql'),
    forgetRemovals: file('edge-feed/forget-removals.sql'),
  },
  rollouts: {
    canaries: file('rollouts/canaries.sql'),
    pending: file('rollouts/pending.sql'),
    promote: file('rollouts/promote.sql'),
    offered: file('rollouts/offered.sql'),
    noteCurrent: file('rollouts/note-current.sql'),
  },
  zoneCredentials: {
    hashes: file('zone-credentials/hashes.sql'),
  },
} as const;
