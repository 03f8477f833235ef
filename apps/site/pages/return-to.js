/**
 * The address to return to after signing in: a path of this service, and nothing else.
 * @param {string | null} path What a link or a page asked for.
 * @param {string} here The address of the current page.
 * @returns {string | undefined}
 */
export function destinationOf(path, here) {
  if (path === null || !path.startsWith('/') || !URL.canParse(path, here)) return undefined;
  // Browsers read `//host` and `/\\host` as other hosts.
  const { origin, href } = new URL(path, here);
  return origin === new URL(here).origin ? href : undefined;
}
