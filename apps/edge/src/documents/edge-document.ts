import { documentFormat, EdgeDocument } from '@zonewright/edge-protocol';
import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { type Rejection, rejection } from './rejection.ts';

const { format, semantics } = documentFormat;

/** Read before the rest, which a newer format may write differently. */
const Head = z.object({ format: z.number(), semantics: z.number() });

/** Reads an edge document. What a newer format or meaning says is refused, never guessed. */
export function parseEdgeDocument(text: string): Result<EdgeDocument, Rejection> {
  const json = parsed(text);
  if (json === undefined) return err(rejection('document.format', 'The document is not JSON.'));
  const head = Head.safeParse(json);
  if (!head.success) return err(rejection('document.format', 'The document names no format and semantics.'));
  if (head.data.format !== format)
    return err(rejection('document.format', `Format ${head.data.format} is not known; this edge reads ${format}.`));
  if (head.data.semantics !== semantics)
    return err(
      rejection('document.semantics', `Semantics ${head.data.semantics} are not known; this edge has ${semantics}.`),
    );
  const document = EdgeDocument.safeParse(json);
  return document.success ? ok(document.data) : err(rejection('document.format', problemOf(document.error)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const problemOf = ({ issues: [first] }: z.ZodError): string =>
  first === undefined ? 'The document has another form.' : `${first.path.join('.')}: ${first.message}`;
