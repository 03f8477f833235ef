/** What a mail says, in paragraphs of plain text. Subjects never vary. */
export interface Content {
  readonly subject: string;
  /** What happened and, where there is a link, what it is for. */
  readonly before: readonly string[];
  /** The address a mail leads to. Absent: the reader has nothing to open. */
  readonly link?: string;
  /** What else the reader should know or do. */
  readonly after: readonly string[];
}
