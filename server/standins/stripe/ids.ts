/** New identifiers in Stripe's spelling: a prefix and random base-62, never fewer than 128 bits. */
import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * 24 characters are 142 bits. Bytes past the last multiple of 62 are thrown away so that every
 * character is equally likely.
 */
export function randomText(length = 24): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

export function newId(prefix: string): string {
  return `${prefix}_${randomText()}`;
}
