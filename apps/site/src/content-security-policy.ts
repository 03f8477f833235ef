/** A Content-Security-Policy that denies everything except the given directives. */
export const contentSecurityPolicy = (allowed: Readonly<Record<string, string>>): string =>
  Object.entries({
    'default-src': "'none'",
    ...allowed,
    'form-action': allowed['form-action'] ?? "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

/** What pages without scripts have in common: they load only a style sheet and an icon. */
export const scriptlessPage = {
  mediaType: 'text/html; charset=utf-8',
  headers: { 'Content-Security-Policy': contentSecurityPolicy({ 'style-src': "'self'", 'img-src': "'self'" }) },
} as const;
