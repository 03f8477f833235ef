/** Why an edge does not use a document; the service knows these codes. */
export type RejectionCode =
  | 'document.fetch'
  | 'document.digest'
  | 'document.format'
  | 'document.semantics'
  | 'document.check'
  | 'document.compile'
  | 'capability.country'
  | 'capability.asn'
  | 'feed.shrunk';

/** A document that is not used. */
export interface Rejection {
  readonly code: RejectionCode;
  /** For people; contains nothing of the document but names of members. */
  readonly message: string;
}

const maxMessage = 500;

/** Creates a rejection. */
export const rejection = (code: RejectionCode, message: string): Rejection => ({
  code,
  message: message.slice(0, maxMessage),
});
