/**
 * A COSE key (ES256) in base64url whose private half nobody has: responses of unknown passkeys are checked with it, which
 * takes as long as with a real one.
 */
export const decoyKey =
  'pQECAyYgASFYIOokEq5P-qCNnL_jKeE5f5NBnLijRTH8-myTwx-gTNf4IlggCszTFOXDjZB40hUl6DRYF2ZWmiUgIH010FVy6Cf-zAs';
