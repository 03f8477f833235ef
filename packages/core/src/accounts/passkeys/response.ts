import { z } from 'zod';

/** Base64url without padding (RFC 4648 section 5). Far longer than anything an authenticator sends. */
const binary = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/, { message: 'This value should be base64url, and not empty.' });

/** A credential id has at most 1023 bytes (Web Authentication Level 3, "credential ID"). */
const credentialId = binary(1364);
const clientDataJSON = binary(4096);

/** Members that browsers add are ignored. */
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(32).nullish(),
};

/** A new credential as browsers write it in JSON (Web Authentication Level 3, "RegistrationResponseJSON"). */
export const CreationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON,
    attestationObject: binary(12_000),
    transports: z.array(z.string().min(1).max(32)).max(10).optional(),
  }),
  clientExtensionResults: z
    .object({ credProps: z.object({ rk: z.boolean().optional() }).optional() })
    .default({})
    .meta({ description: 'Results of extensions; `credProps` tells whether the credential is discoverable.' }),
});
export type CreationResponse = z.infer<typeof CreationResponse>;

/** A signature as browsers write it in JSON (Web Authentication Level 3, "AuthenticationResponseJSON"). */
export const AssertionResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON,
    authenticatorData: binary(4096),
    signature: binary(8192),
    userHandle: binary(128).nullish(),
  }),
  clientExtensionResults: z.object({}).default({}),
});
export type AssertionResponse = z.infer<typeof AssertionResponse>;
