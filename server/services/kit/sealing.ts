/**
 * Encrypts ("seals") secrets in the database with a key that is stored elsewhere (AES-256-GCM), so
 * that a stolen copy of the database yields no ticket codes.
 */
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

const mark = 'sealed1';
const nonceBytes = 12;
const tagBytes = 16;

/** All keys of this process, by name; a sealed text contains its key's name. */
const keys = new Map<string, Buffer>();

/** Adds a key, so that texts sealed with it can be read. */
export function useSealingKey(key: Buffer): void {
  keys.set(nameOf(key), key);
}

/** The key's name, which reveals nothing about the key. */
function nameOf(key: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from('name of '), key]), 'base64url').slice(0, 8);
}

export function isSealed(text: string): boolean {
  return text.startsWith(`${mark}.`);
}

/** True if the text is sealed with this key, not with an earlier one. */
export function isSealedWith(text: string, key: Buffer): boolean {
  return text.startsWith(`${mark}.${nameOf(key)}.`);
}

/** Without a key the text is returned as it is. */
export function seal(text: string, key: Buffer | null): string {
  if (key === null) return text;
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return `${mark}.${nameOf(key)}.${sealed.toString('base64url')}`;
}

/** Returns a text that is not sealed as it is. Throws if its key is missing or it was changed. */
export function unseal(text: string): string {
  if (!isSealed(text)) return text;
  const [, name = '', data = ''] = text.split('.');
  const key = keys.get(name);
  if (!key) throw new Error(`SECRETS_KEY is missing or another one: ${name} has sealed this`);
  const bytes = Buffer.from(data, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  const opened = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
  return Buffer.concat([opened, decipher.final()]).toString();
}

/** True if this process has the key of the text. */
export function canUnseal(text: string): boolean {
  return !isSealed(text) || keys.has(text.split('.')[1] ?? '');
}
