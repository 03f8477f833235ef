/** The parser looks through the open elements at many tags. No page is nested deeper than it has tags. */
const maxTags = 5000;
/** The parser compares the attributes of a tag with each other. */
const maxAttributes = 20_000;

const blanks: ReadonlySet<number> = new Set(Buffer.from(' \t\n\f\r/'));
const quotes: ReadonlySet<number> = new Set(Buffer.from('"\''));
const [less = 0, greater = 0, equals = 0, slash = 0] = Buffer.from('<>=/');

/** Whether a page has so many tags or attributes that it stays as it is. Counts everything that might begin one. */
export const isTooIntricate = (page: Buffer): boolean => hasManyTags(page) || hasManyAttributes(page);

function hasManyTags(page: Buffer): boolean {
  let count = 0;
  for (let at = page.indexOf(less); at >= 0; at = page.indexOf(less, at + 1)) {
    if (page[at + 1] !== slash) count += 1;
    if (count > maxTags) return true;
  }
  return false;
}

function hasManyAttributes(page: Buffer): boolean {
  let count = 0;
  for (let at = page.indexOf(less); at >= 0 && count <= maxAttributes; at = page.indexOf(less, at + 1)) {
    for (at += 1; at < page.length && page[at] !== greater; at = nextWord(page, at)) count += 1;
  }
  return count > maxAttributes;
}

/** The place behind a name or value and the blanks that follow, or of the end of the tag. */
function nextWord(page: Buffer, start: number): number {
  let at = start;
  const quote = page[at] ?? 0;
  if (quotes.has(quote) && page[at - 1] === equals) at = endOf(page, quote, at + 1) + 1;
  else at += 1;
  while (at < page.length && !isEnd(page, at)) at += 1;
  while (blanks.has(page[at] ?? 0)) at += 1;
  return at;
}

const endOf = (page: Buffer, byte: number, from: number): number => {
  const at = page.indexOf(byte, from);
  return at < 0 ? page.length : at;
};

/** Of a word: a blank, the end of the tag, or a quoted value. */
const isEnd = (page: Buffer, at: number): boolean => {
  const byte = page[at] ?? 0;
  return byte === greater || blanks.has(byte) || (quotes.has(byte) && page[at - 1] === equals);
};
