import { conflict, notFound, type Problem, unauthenticated } from './problem.ts';

/** Problems of edges, a part of `problems`. */
export const edgeProblems = {
  EnrolmentTokenInvalid: unauthenticated('The enrolment token is unknown, used or expired.'),
  EdgeKeyInvalid: unauthenticated(
    'This request requires the key of an edge. Send it in Authorization, after the word Bearer.',
  ),
  EdgeKeyInUse: conflict(
    'edge-key-in-use',
    'Another process reports with the key of this edge.',
    'Give each edge a key of its own: add another one with `zonewright edges add`, and enrol it.',
  ),
  EdgeDocumentNotFound: notFound('There is no such document, or no zone has it any more.'),
} as const satisfies Readonly<Record<string, Problem>>;
