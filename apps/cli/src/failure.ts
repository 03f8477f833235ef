import type { Result, ResultAsync } from 'neverthrow';

/** How commands end. */
export const exitCodes = {
  done: 0,
  /** Refused, or something does not work. */
  failed: 1,
  /** Wrong arguments, or a wrong configuration: nothing was tried. */
  misused: 2,
} as const;

/** A command that could not do what it was asked for; each line is for a person to read. */
export class CommandFailure extends Error {
  readonly lines: readonly string[];
  readonly exitCode: 1 | 2;

  constructor(lines: readonly string[], exitCode: 1 | 2 = exitCodes.failed) {
    super(lines.join('\n'));
    this.lines = lines;
    this.exitCode = exitCode;
  }
}

/** A domain error as use cases give it. */
interface Refusal {
  readonly type: string;
  readonly violations?: readonly { readonly propertyPath: string; readonly message: string }[];
}

const wordings: Readonly<Record<string, string>> = {
  AccountNotFound: 'There is no such account.',
  EmailTaken: 'An account with this address already exists.',
  PasswordTooCommon: 'The password is on the block list.',
  TwoFactorNotEnabled: 'The account has no second factor.',
  OrganizationNotFound: 'There is no such organization.',
  ZoneNotFound: 'There is no such zone.',
  PermissionDenied: 'The user named by --as does not have permission to do this in the organization.',
  TwoFactorRequired:
    'The organization requires two-factor authentication, which the user named by --as has not enabled.',
};

/** Why something was refused, in words: broken constraints with their places, anything else by its name. */
const describe = ({ type, violations }: Refusal): readonly string[] =>
  violations?.map(({ propertyPath, message }) => (propertyPath === '' ? message : `${propertyPath}: ${message}`)) ?? [
    wordings[type] ?? type,
  ];

/** The value of a result that may be refused. Rejects with a `CommandFailure` if it was. */
export async function accepted<T>(result: ResultAsync<T, Refusal> | Result<T, Refusal>): Promise<T> {
  return (await result).match(
    (value) => value,
    (refusal) => {
      throw new CommandFailure(describe(refusal));
    },
  );
}
