/** New ids in Stripe's form: a prefix and random base-62 characters with at least 128 bits. */
import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 24 characters have 142 bits. Bytes from 248 on are skipped: they would favour some letters. */
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
