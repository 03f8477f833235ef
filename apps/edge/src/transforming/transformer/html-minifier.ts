import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { childrenOf, collapsed, keepsText, type Node } from './exact-text.ts';
import { isSameDocument } from './same-document.ts';

/** CSS, or the name of a class, by which white space is kept somewhere in the page. */
const keepsWhiteSpace = /white-?space(?:-collapse)?["']?\s*[:=-]\s*["']?(?:pre|break)/i;
/** Of templates that scripts or other programs fill in. */
const placeholder = /\{\{|\{%|<[%?]|\$\{/;
/** A tag or comment that the parser took from the middle of a text. */
const markup = /<[a-z/!?]/i;
const byteOrderMark = '\uFEFF';

/**
 * The page with less white space. All else stays byte for byte: tags, attributes, scripts, styles, and comments, because
 * frameworks find their places by them. Undefined if the page is no document, or a browser might see a difference.
 */
export function minifiedHtml(source: string): string | undefined {
  const mark = source.startsWith(byteOrderMark) ? byteOrderMark : '';
  const page = source.slice(mark.length);
  if (keepsWhiteSpace.test(page)) return undefined;
  const before = parse(page, { sourceCodeLocationInfo: true });
  if (!isDocument(before)) return undefined;
  const smaller = withLessSpace(page, textsOf(before));
  return smaller.length < page.length && isSameDocument(before, parse(smaller)) ? mark + smaller : undefined;
}

/** Whether the source says that it is a page: JSON, plain text and fragments are sent as HTML, too. */
const isDocument = ({ childNodes }: DefaultTreeAdapterTypes.Document): boolean =>
  childNodes.some((node) => node.nodeName === '#documentType' || isWritten(node) || childrenOf(node).some(isWritten));

const isWritten = (node: Node): boolean =>
  ['html', 'head', 'body'].includes(node.nodeName) &&
  'tagName' in node &&
  node.sourceCodeLocation?.startTag !== undefined;

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
}

/** Where the source has texts that a browser lays out, in their order in the document. */
function textsOf(document: Node): readonly Range[] {
  const texts: Range[] = [];
  const nodes: Node[] = [document];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (keepsText(node)) continue;
    const location = 'value' in node ? (node.sourceCodeLocation ?? undefined) : undefined;
    if (location !== undefined) texts.push(location);
    nodes.push(...childrenOf(node).toReversed());
  }
  return texts;
}

function withLessSpace(page: string, texts: readonly Range[]): string {
  const parts: string[] = [];
  let at = 0;
  // Text that was misplaced within a table comes earlier in the document.
  for (const { startOffset, endOffset } of texts.toSorted((a, b) => a.startOffset - b.startOffset)) {
    if (startOffset < at) continue;
    const text = page.slice(startOffset, endOffset);
    const stays = markup.test(text) || placeholder.test(text);
    parts.push(page.slice(at, startOffset), stays ? text : collapsed(text));
    at = endOffset;
  }
  return parts.join('') + page.slice(at);
}
