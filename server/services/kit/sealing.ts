/**
 * Encrypts secrets in the database with a key that is kept elsewhere (AES-256-GCM), so that
 * nobody can make ticket codes from a stolen copy of the database.
 */
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

const mark = 'sealed1';
const nonceBytes = 12;
const tagBytes = 16;

/** All keys that this process was started with, by name; a sealed text names its key. */
const keys = new Map<string, Buffer>();

/** After this call, texts that were sealed with the key can be read. */
export function useSealingKey(key: Buffer): void {
  keys.set(nameOf(key), key);
}

/** A name by which the key is recognised and which reveals nothing about it. */
function nameOf(key: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from('name of '), key]), 'base64url').slice(0, 8);
}

export function isSealed(text: string): boolean {
  return text.startsWith(`${mark}.`);
}

/** Sealed with this very key, not with an earlier one. */
export function isSealedWith(text: string, key: Buffer): boolean {
  return text.startsWith(`${mark}.${nameOf(key)}.`);
}

/** Without a key it returns the text as it is. */
export function seal(text: string, key: Buffer | null): string {
  if (key === null) return text;
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return `${mark}.${nameOf(key)}.${sealed.toString('base64url')}`;
}

/**
 * A text that was never sealed is returned as it is. Throws when the key is missing or the text
 * was changed.
 */
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

/** Whether this process has the key of the text. */
export function canUnseal(text: string): boolean {
  return !isSealed(text) || keys.has(text.split('.')[1] ?? '');
}
