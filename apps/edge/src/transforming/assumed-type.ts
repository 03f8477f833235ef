/** Endings of paths, and what they usually name. */
const types: ReadonlyMap<string, string> = new Map(
  Object.entries({
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    jpe: 'image/jpeg',
    jfif: 'image/jpeg',
    png: 'image/png',
    html: 'text/html',
    htm: 'text/html',
    shtml: 'text/html',
    php: 'text/html',
    asp: 'text/html',
    aspx: 'text/html',
    jsp: 'text/html',
  }),
);
const ending = /\.([a-z\d]+)$/i;

/**
 * The type of what a request names, of which an answer does not tell it: most answers 304, and parts to an `If-Range`.
 * Without an ending, images are what is asked for as such. Undefined: nothing that is transformed.
 */
export function assumedType(target: string, accept: string): string | undefined {
  const [path = ''] = target.split(/[?#]/);
  const found = ending.exec(path)?.[1];
  if (found !== undefined) return types.get(found.toLowerCase());
  return accept.includes('image/') && !accept.includes('text/html') ? 'image/jpeg' : 'text/html';
}
