import type { DefaultTreeAdapterTypes } from 'parse5';
import { childrenOf, collapsed, keepsText, type Node } from './exact-text.ts';

type Element = DefaultTreeAdapterTypes.Element;
type DocumentType = DefaultTreeAdapterTypes.DocumentType;

interface Pair {
  readonly one: Node;
  readonly other: Node | undefined;
  readonly isExact: boolean;
}

/**
 * Whether two documents have the same nodes with the same attributes and texts, apart from the length of white space
 * that is laid out as one space. Not recursive: pages may be nested deeper than the stack is.
 */
export function isSameDocument(before: Node, after: Node): boolean {
  const pairs: Pair[] = [{ one: before, other: after, isExact: false }];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const { one, other } = pair;
    if (other === undefined || !isAlike(one, other, pair.isExact)) return false;
    const [children, others] = [childrenOf(one), childrenOf(other)];
    if (children.length !== others.length) return false;
    const isExact = pair.isExact || keepsText(one);
    for (const [index, child] of children.entries()) pairs.push({ one: child, other: others[index], isExact });
  }
  return true;
}

/** Whether two nodes say the same, besides their children. */
function isAlike(one: Node, other: Node, isExact: boolean): boolean {
  if (one.nodeName !== other.nodeName) return false;
  if ('tagName' in one) return 'tagName' in other && isSameTag(one, other);
  if ('value' in one) return 'value' in other && isSameText(one.value, other.value, isExact);
  return isSameMarkup(one, other);
}

/** Compares comments and what concerns the whole document. */
function isSameMarkup(one: Node, other: Node): boolean {
  if ('data' in one) return 'data' in other && one.data === other.data;
  if ('mode' in one) return 'mode' in other && one.mode === other.mode;
  if ('publicId' in one) return 'publicId' in other && isSameDoctype(one, other);
  return true;
}

const isSameText = (one: string, other: string, isExact: boolean): boolean =>
  one === other || (!isExact && collapsed(one) === collapsed(other));

const isSameTag = (one: Element, other: Element): boolean =>
  one.namespaceURI === other.namespaceURI &&
  one.attrs.length === other.attrs.length &&
  one.attrs.every(({ name, value, namespace }, index) => {
    const attribute = other.attrs[index];
    return attribute?.name === name && attribute.value === value && attribute.namespace === namespace;
  });

const isSameDoctype = (one: DocumentType, other: DocumentType): boolean =>
  one.name === other.name && one.publicId === other.publicId && one.systemId === other.systemId;
