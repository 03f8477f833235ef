/** Code points of a name that a mail shows: enough to recognize it, too few for a message. */
const maxLength = 80;

/** Controls, invisible characters and characters that change the direction of text; line and paragraph separators. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * A name that a user has chosen, for a mail to strangers: on one line, shortened, and with nothing that mail programs
 * turn into a link, such as `example[.]com`, `ada[@]example[.]com` or `https[:]//`.
 */
export function defused(name: string): string {
  const characters = Array.from(name.replaceAll(invisible, ' ').replaceAll(/\s+/g, ' ').trim());
  const shown = characters.length > maxLength ? [...characters.slice(0, maxLength), '…'] : characters;
  return shown
    .join('')
    .replaceAll('@', '[@]')
    .replaceAll(/:(?=\S)/g, '[:]')
    .replaceAll(/[.。．｡](?=[^\s.]{2})/gu, '[.]');
}
