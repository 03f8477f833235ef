/** One provider as the operator has configured it. */
export interface ProviderSettings {
  readonly id: string;
  /** Shown to people. */
  readonly name: string;
  /** `oidc`: OpenID Connect with discovery. `github`: GitHub's own protocol, on OAuth 2.0. */
  readonly kind: 'oidc' | 'github';
  /** The issuer identifier; for GitHub, its base address. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Requested instead of the usual ones. */
  readonly scopes?: readonly string[] | undefined;
  /** Whether to believe the provider that it has asked for a second factor. */
  readonly trustMfa?: boolean | undefined;
  /** Values of `acr` that mean a second factor, besides `mfa` in `amr`; they are requested. */
  readonly acrValues?: readonly string[] | undefined;
  /** Admitted domains of addresses; any by default. */
  readonly domains?: readonly string[] | undefined;
  /** Where programs that run the flow themselves are sent back to. */
  readonly redirectUris?: readonly string[] | undefined;
}

/** How providers are reached. */
export interface FederationOptions {
  /** Where a provider sends browsers back to. */
  readonly callbackUrl: (provider: string) => string;
  /** Milliseconds that each request to a provider may take. */
  readonly timeoutMilliseconds?: number;
  /** Milliseconds since some moment, from a clock that never goes back. */
  readonly clock?: () => number;
}
