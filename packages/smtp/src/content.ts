/**
 * The content of a mail, in paragraphs of plain text. Subjects are constant, but for the name of the service, which
 * `{service}` stands for.
 */
export interface Content {
  readonly subject: string;
  /** What happened and, where there is a link, what it is for. */
  readonly before: readonly string[];
  /** The page the mail links to, if any. */
  readonly link?: string;
  /** Further information and advice. */
  readonly after: readonly string[];
}
