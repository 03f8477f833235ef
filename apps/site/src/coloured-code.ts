/** Highlighted parts of commands and responses, in matching order. The input is HTML. */
const token = new RegExp(
  [
    // The end of a JSON body: its quote must not begin the next string.
    /\}'/,
    /(?<key>"[\w-]+")(?=:)/,
    /(?<string>"[^"]*"|'(?!\{)[^']*')/,
    /(?<variable>\$\w+|^\w+(?==))/,
    /(?<option>(?<=\s)--?[a-zA-Z][\w-]*)/,
    /(?<command>(?<=^\s*|\| |\$\()(?:curl|echo|grep|rm|sed)\b)/,
    /(?<word>\b(?:while|for|in|do|done|true|false|null)\b)/,
    /(?<number>(?<=[:,] )\d+\b)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
);

/** Highlights shell commands and JSON in the guide by adding a class to each part. */
export const colouredCode = (html: string): string =>
  html.replace(token, (text: string, ...rest: readonly unknown[]) => {
    // The pattern has named groups, so the last argument holds them.
    const [name] = Object.entries(rest.at(-1) as Groups).find(([, found]) => found !== undefined) ?? [];
    return name === undefined ? text : `<span class="${name}">${text}</span>`;
  });

/**
 * The last argument of a replacer function for a pattern with named groups (ECMA-262, RegExp.prototype [
 * %Symbol.replace% ]).
 */
type Groups = Readonly<Record<string, string | undefined>>;
