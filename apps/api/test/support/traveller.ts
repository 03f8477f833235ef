/** The user of a tour and access to their mail. */
export interface TourUser {
  readonly email: string;
  readonly password: string;
  /** The token in the mail sent to the address. */
  readonly tokenInMail: () => Promise<string>;
}

/**
 * What a developer writes who knows the service only through a generated client: a short version of the tour in
 * README.md.
 */
export type Tour = (baseUrl: string, traveller: TourUser) => Promise<readonly unknown[]>;
