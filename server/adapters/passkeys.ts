/**
 * Passkeys (WebAuthn) through @simplewebauthn: makes the options for the browser, and checks the
 * browser's answer.
 */
import { isIP } from 'node:net';

interface StoredPasskey {
  id: string;
  public_key: string;
  counter: number;
  /** A list as JSON text. */
  transports: string;
}

/** True if we have sent this challenge; deletes the challenge, so that an answer works once. */
type IsAsked = (challenge: string) => Promise<boolean>;
type Json = Record<string, unknown>;

/** Loaded for the first passkey, because it takes 15 MB of memory. */
const load = () => import('@simplewebauthn/server');

/** Browsers store passkeys under the site's name, so a bare IP address can have none. */
export function canHavePasskeys(publicUrl: string): boolean {
  return isIP(nameOf(publicUrl).replace(/^\[|\]$/g, '')) === 0;
}

function nameOf(publicUrl: string): string {
  return new URL(publicUrl).hostname;
}

/**
 * Options for a new passkey that is stored on the device and opened by finger, face or PIN, so
 * that it counts as two factors.
 */
export async function askForPasskey(
  publicUrl: string,
  {
    user,
    known,
    house,
  }: { user: { id: string; email: string; name: string }; known: readonly string[]; house: string },
) {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpName: house,
    rpID: nameOf(publicUrl),
    userName: user.email,
    userDisplayName: user.name,
    userID: new Uint8Array(Buffer.from(user.id)),
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Null if it is not a valid answer to our challenge. */
export async function readNewPasskey(
  publicUrl: string,
  response: Json,
  isAsked: IsAsked,
): Promise<StoredPasskey | null> {
  const { verifyRegistrationResponse } = await load();
  const checked = await verifyRegistrationResponse({
    response: response as never,
    expectedChallenge: isAsked,
    expectedOrigin: publicUrl,
    expectedRPID: nameOf(publicUrl),
  }).catch(() => null);
  if (!checked?.verified) return null;
  const { id, publicKey, counter, transports = [] } = checked.registrationInfo.credential;
  return {
    id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: JSON.stringify(transports),
  };
}

/** `known`: the passkeys that the browser may use; if left out, any passkey of this site. */
export async function askForProof(publicUrl: string, known: readonly string[] = []) {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID: nameOf(publicUrl),
    userVerification: 'required',
    allowCredentials: known.map((id) => ({ id })),
  });
}

/** The passkey's new counter; null if the proof is not valid. */
export async function readProof(
  publicUrl: string,
  { response, passkey, isAsked }: { response: Json; passkey: StoredPasskey; isAsked: IsAsked },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await load();
  const checked = await verifyAuthenticationResponse({
    response: response as never,
    expectedChallenge: isAsked,
    expectedOrigin: publicUrl,
    expectedRPID: nameOf(publicUrl),
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
      transports: JSON.parse(passkey.transports),
    },
  }).catch(() => null);
  return checked?.verified ? checked.authenticationInfo.newCounter : null;
}
