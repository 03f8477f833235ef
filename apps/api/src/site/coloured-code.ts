/** The parts of commands and answers that have a colour, in the order in which they are looked for. The text is HTML. */
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

/** Code of the guide, shell commands or JSON, with a class around every part that has a colour. */
export const colouredCode = (html: string): string =>
  html.replace(token, (text: string, ...rest: readonly unknown[]) => {
    // The last argument holds the named groups, as the pattern has some.
    const [name] = Object.entries(rest.at(-1) as Groups).find(([, found]) => found !== undefined) ?? [];
    return name === undefined ? text : `<span class="${name}">${text}</span>`;
  });

/** The last argument of a replacer, as the expression has names (ECMA-262, RegExp.prototype [ %Symbol.replace% ]). */
type Groups = Readonly<Record<string, string | undefined>>;
