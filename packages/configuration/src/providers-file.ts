import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import type { ConfigError } from './config-error.ts';
import { attempt, problemIn, readPrivately, readProblem } from './private-file.ts';

/** A provider that people can sign in by. */
export type ProviderEntry = z.output<ReturnType<typeof entryFor>>;

const text = (max: number) =>
  z
    .string()
    .min(1, 'is empty')
    .max(max, `is longer than ${max} characters`)
    .refine((value) => !/\p{Cc}/u.test(value), 'has control characters');
const names = z.array(text(100).refine((value) => !value.includes(' '), 'has a space')).min(1, 'is empty');
const domain = z.string().regex(/^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,9}$/, 'is not a domain in lower case');
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The address, if it is spelled as it is compared. */
const addressIn = (value: string): URL | undefined => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url?.href === value || url?.href === `${value}/` ? url : undefined;
};

/** OpenID Connect Discovery section 3. `http` is for development. */
const issuerFor = (production: boolean) =>
  text(500)
    .refine((value) => /^https?:$/.test(addressIn(value)?.protocol ?? ''), 'is not an http or https address')
    .refine((value) => !/[?#@]/.test(value), 'has a query, a fragment or a user')
    .refine(
      (value) => !value.startsWith('http:') || (!production && loopback.has(addressIn(value)?.hostname ?? '')),
      'must use https; http is only for loopback addresses, and not in production',
    );

const entryFor = (production: boolean) =>
  z
    .strictObject({
      id: z.string().regex(/^[a-z0-9-]{1,32}$/, 'is not 1..32 characters of a-z, 0-9 and -'),
      name: text(60),
      kind: z.enum(['oidc', 'github'], 'is not one of oidc and github'),
      issuer: issuerFor(production),
      clientId: text(500),
      clientSecret: text(1000),
      scopes: names.optional(),
      trustMfa: z.boolean().optional(),
      acrValues: names.optional(),
      domains: z.array(domain).min(1, 'is empty').optional(),
      redirectUris: z
        .array(
          text(1000).refine(
            (value) => URL.canParse(value) && new URL(value).href === value && !value.includes('#'),
            'is not an absolute address without a fragment, in its normal form',
          ),
        )
        .optional(),
    })
    .refine(({ kind, scopes }) => kind !== 'oidc' || scopes?.includes('openid') !== false, {
      path: ['scopes'],
      message: 'lacks openid',
    })
    .refine(({ acrValues, trustMfa }) => acrValues === undefined || trustMfa === true, {
      path: ['acrValues'],
      message: 'needs trustMfa',
    })
    .refine(({ kind, trustMfa }) => kind !== 'github' || trustMfa !== true, {
      path: ['trustMfa'],
      message: 'is not possible for GitHub, which does not say how somebody signed in',
    })
    .refine(({ kind, issuer }) => kind !== 'github' || !issuer.endsWith('/'), {
      path: ['issuer'],
      message: 'ends with a slash',
    });

const listFor = (production: boolean) =>
  z
    .array(entryFor(production))
    .max(50, 'has more than 50 providers')
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'two providers have the same id')
    // Identities are found by issuer and subject alone.
    .refine((all) => new Set(all.map(issuerKey)).size === all.length, 'two providers have the same issuer');

const issuerKey = ({ issuer }: { readonly issuer: string }): string => issuer.replace(/\/$/, '');

/** Reads the providers of an installation, which only its user may read. Without a file, there are none. */
export function readProviders(
  path: string | undefined,
  { production }: { readonly production: boolean },
): Result<readonly ProviderEntry[], ConfigError[]> {
  if (path === undefined) return ok([]);
  const errorOf = (problem: string): ConfigError => ({
    variable: 'PROVIDERS_FILE',
    problem: `${JSON.stringify(path)} ${problem}`,
  });
  return readPrivately(path)
    .mapErr((code) => [errorOf(readProblem(code))])
    .andThen((content) => attempt((): unknown => JSON.parse(content)).mapErr(() => [errorOf('is not JSON')]))
    .andThen((json): Result<readonly ProviderEntry[], ConfigError[]> => {
      const parsed = listFor(production).safeParse(json);
      return parsed.success ? ok(parsed.data) : err(parsed.error.issues.map((issue) => errorOf(problemIn(issue))));
    });
}
