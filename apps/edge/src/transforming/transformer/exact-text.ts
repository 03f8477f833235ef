import { type DefaultTreeAdapterTypes, html } from 'parse5';

/** A part of a parsed document. */
export type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Elements in which white space is shown or read as it is, by browsers or by the style sheets of many sites. */
const exactElements: ReadonlySet<string> = new Set(
  // After the text area come those whose content is no text of the page.
  (
    'pre listing xmp plaintext code samp kbd tt textarea ' +
    'script style title noscript noframes noembed iframe object template'
  ).split(' '),
);
const exactAttributes: ReadonlySet<string> = new Set(['contenteditable', 'xml:space']);
/** Languages in which lines and indentation count, read from the page by scripts. */
const lineLanguage = /markdown|mermaid/i;

/** Children of a node that count for the document: those of a template are in a fragment of its own. */
export const childrenOf = (node: Node): readonly Node[] => {
  if ('content' in node) return node.content.childNodes;
  return 'childNodes' in node ? node.childNodes : [];
};

/** Whether the text within a node stays byte for byte: it is of another language, or scripts may read it. */
export function keepsText(node: Node): boolean {
  if (!('tagName' in node)) return false;
  if (node.namespaceURI !== html.NS.HTML || exactElements.has(node.tagName)) return true;
  // Custom elements do with their content what they like.
  return node.tagName.includes('-') || node.attrs.some(isOfExactText);
}

const isOfExactText = ({ name, value }: Element['attrs'][number]): boolean =>
  exactAttributes.has(name) || lineLanguage.test(name) || (name === 'class' && lineLanguage.test(value));

/**
 * A text in which each run of spaces, tabs and line breaks is one character: a line break if it has one, else a space.
 * Browsers lay both out alike (CSS Text section 4.1.1), between signs of languages without spaces, too.
 */
export const collapsed = (text: string): string =>
  text.replaceAll(/[ \t\r\n]+/g, (run) => (/[\r\n]/.test(run) ? '\n' : ' '));
