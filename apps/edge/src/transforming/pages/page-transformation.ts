import { type PageCoding, pageCodings, type Transformation } from '../transformation.ts';

/** Of a page, decoded or not: larger ones would take too long. */
export const maxPageBytes = 256 * 1024;

const isUtf8 = /^text\/html\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;

/**
 * A page that means the same in fewer bytes; scripts and styles stay as they are. Undefined if the page is not HTML in
 * UTF-8, or in a coding that is not known.
 */
export function pageTransformation(contentType: string, contentCoding: string): Transformation | undefined {
  const coding = codingNamed(contentCoding.trim().toLowerCase() || 'identity');
  if (coding === undefined || !isUtf8.test(contentType.trim())) return undefined;
  return {
    maxBytes: maxPageBytes,
    mayApply: () => true,
    jobFor: (body) => (body.length === 0 ? undefined : { type: 'page', body, coding }),
    variesByAccept: false,
  };
}

const codingNamed = (name: string): PageCoding | undefined => pageCodings.find((coding) => coding === name);
