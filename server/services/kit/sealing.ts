/**
 * Seals secrets that lie in the database with a key that does not lie there (AES-256-GCM): a
 * stolen copy of the database makes no ticket codes.
 */
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

const mark = 'sealed1';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Every key that this process was started with, by its name: what a sealed text names is found
 * again.
 */
const keys = new Map<string, Buffer>();

/** The key is known from here on, and what it has sealed can be read. */
export function useSealingKey(key: Buffer): void {
  keys.set(nameOf(key), key);
}

/** Says which key it was, and nothing about it. */
function nameOf(key: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from('name of '), key]), 'base64url').slice(0, 8);
}

export function isSealed(text: string): boolean {
  return text.startsWith(`${mark}.`);
}

/** With this very key, not with one before. */
export function isSealedWith(text: string, key: Buffer): boolean {
  return text.startsWith(`${mark}.${nameOf(key)}.`);
}

/** Without a key the text stays as it is. */
export function seal(text: string, key: Buffer | null): string {
  if (key === null) return text;
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return `${mark}.${nameOf(key)}.${sealed.toString('base64url')}`;
}

/**
 * What was never sealed is given back as it is. Throws where the key is another, or something was
 * changed.
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

/** Whether the text could be opened now. */
export function canUnseal(text: string): boolean {
  return !isSealed(text) || keys.has(text.split('.')[1] ?? '');
}
