/** One-time codes of an authenticator app (TOTP, RFC 6238), through otpauth. */
import { Secret, TOTP } from 'otpauth';

const periodMs = 30_000;
/** How many time steps a code may be off: a phone's clock may be half a minute wrong. */
const window = 1;

/** 160 random bits, base32. */
export function newCodeSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The text of the QR code for the app. */
export function codeAddress({
  secret,
  account,
  issuer,
}: {
  secret: string;
  account: string;
  issuer: string;
}): string {
  return new TOTP({ issuer, label: account, secret: Secret.fromBase32(secret) }).toString();
}

/** The time step to which the code belongs; null if it belongs to none near the present one. */
export function stepOfCode(
  code: string,
  { secret, now }: { secret: string; now: number },
): number | null {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: now, window });
  return delta === null ? null : Math.floor(now / periodMs) + delta;
}
