/** The service did not answer, or could not for now. */
export const serviceUnreachable = (reason: string) => ({ type: 'ServiceUnreachable', reason }) as const;

/** The service does not know the key or enrolment token (any more). */
export const keyRefused = () => ({ type: 'KeyRefused' }) as const;

/** Another process reports with the same key. */
export const keyInUse = () => ({ type: 'KeyInUse' }) as const;

/** The service answered something that this program does not understand. */
export const answerUnreadable = (reason: string) => ({ type: 'AnswerUnreadable', reason }) as const;

/** The service has no such document, or fails to make it. */
export const documentUnavailable = (status: number) => ({ type: 'DocumentUnavailable', status }) as const;
export type DocumentUnavailable = ReturnType<typeof documentUnavailable>;

/** The answer would remove many zones without saying that this is meant. */
export const feedShrunk = (removed: number, of: number) => ({ type: 'FeedShrunk', removed, of }) as const;
export type FeedShrunk = ReturnType<typeof feedShrunk>;

/** This machine failed, for example because its disk is full. */
export const machineFailed = (reason: string) => ({ type: 'MachineFailed', reason }) as const;

/** Why the service was not reached. */
export type CallFailure = ReturnType<
  typeof serviceUnreachable | typeof keyRefused | typeof keyInUse | typeof answerUnreadable
>;

/** A failure as a sentence for the operator. */
export function describeFailure(failure: CallFailure | FeedShrunk | ReturnType<typeof machineFailed>): string {
  switch (failure.type) {
    case 'ServiceUnreachable':
      return `the service cannot be reached (${failure.reason})`;
    case 'KeyRefused':
      return 'the service refuses the key of this edge: was it removed?';
    case 'KeyInUse':
      return 'another process reports with the key of this edge: each edge needs its own';
    case 'AnswerUnreadable':
      return `the service gives an answer that this version does not understand (${failure.reason})`;
    case 'FeedShrunk':
      return `the service would remove ${failure.removed} of ${failure.of} zones without saying that this is meant`;
    case 'MachineFailed':
      return `the newest state cannot be kept (${failure.reason})`;
  }
}
