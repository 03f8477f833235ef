/** Whom a tour is taken by, and how they read their mail. */
export interface Traveller {
  readonly email: string;
  readonly password: string;
  /** The token of the mail that comes to the address. */
  readonly tokenInMail: () => Promise<string>;
}

/** What someone writes who knows the service by a generated client only: the tour of README.md, in short. */
export type Tour = (baseUrl: string, traveller: Traveller) => Promise<readonly unknown[]>;
