import type { Result, ResultAsync } from 'neverthrow';

/** Exit codes of commands. */
export const exitCodes = {
  done: 0,
  /** The operation was rejected or a check failed. */
  failed: 1,
  /** Invalid arguments or configuration: nothing was attempted. */
  misused: 2,
  /** Ctrl-C, as shells report it (128 and the number of the signal). */
  interrupted: 130,
} as const;

type FailureCode = Exclude<(typeof exitCodes)[keyof typeof exitCodes], 0>;

/** A command that failed for a reason the user can act on; each line is part of the message. */
export class CommandFailure extends Error {
  readonly lines: readonly string[];
  readonly exitCode: FailureCode;

  constructor(lines: readonly string[], exitCode: FailureCode = exitCodes.failed) {
    super(lines.join('\n'));
    this.lines = lines;
    this.exitCode = exitCode;
  }
}

/** A domain error, reduced to what the message needs. */
interface Refusal {
  readonly type: string;
  readonly violations?: readonly { readonly propertyPath: string; readonly message: string }[];
}

const wordings: Readonly<Record<string, string>> = {
  AccountNotFound: 'There is no such account.',
  EmailTaken: 'An account with this address already exists.',
  PasswordTooCommon: 'The password is on the block list.',
  PasskeyNotFound: 'The account has no such passkey.',
  TwoFactorNotEnabled: 'The account has no second factor.',
  IdentityNotFound: 'The account has no such linked identity.',
  OrganizationNotFound: 'There is no such organization.',
  ZoneNotFound: 'There is no such zone.',
  EdgeNameTaken: 'An edge with this name already exists.',
  EdgeNotFound: 'There is no such edge.',
  NothingToRelease: 'No change of the zone waits for canary edges.',
  PermissionDenied: 'The user named by --as does not have permission to do this in the organization.',
  TwoFactorRequired:
    'The organization requires two-factor authentication, which the user named by --as has not enabled.',
};

/** Describes an error: violations with their paths, other errors by name. */
const describe = ({ type, violations }: Refusal): readonly string[] =>
  violations?.map(({ propertyPath, message }) => (propertyPath === '' ? message : `${propertyPath}: ${message}`)) ?? [
    wordings[type] ?? type,
  ];

/** Unwraps a result. Rejects with a `CommandFailure` for an error. */
export const accepted = <T>(result: ResultAsync<T, Refusal> | Result<T, Refusal>): Promise<T> =>
  valueOf(result, () => exitCodes.failed);

/** Like `accepted`, for input that comes from arguments: violations in it mean that the command was misused. */
export const acceptedArguments = <T>(result: ResultAsync<T, Refusal> | Result<T, Refusal>): Promise<T> =>
  valueOf(result, ({ violations }) => (violations === undefined ? exitCodes.failed : exitCodes.misused));

async function valueOf<T>(
  result: ResultAsync<T, Refusal> | Result<T, Refusal>,
  exitCodeOf: (refusal: Refusal) => FailureCode,
): Promise<T> {
  return (await result).match(
    (value) => value,
    (refusal) => {
      throw new CommandFailure(describe(refusal), exitCodeOf(refusal));
    },
  );
}
