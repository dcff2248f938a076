/**
 * The key with which a supervisor's phone signs a consent: made on this phone and stored by the
 * browser; only its public half is sent.
 */
import {
  readMeta,
  writeMeta,
  type Device,
  type ScannerDb,
  type SigningKey,
} from '#apps/scanner/kit/store.ts';
import { base64urlOf } from '#apps/scanner/kit/base64url.ts';

const curve = { name: 'ECDSA', namedCurve: 'P-256' };
const signing = { name: 'ECDSA', hash: 'SHA-256' };

/**
 * The public half of a supervisor's key, which is made when first needed; undefined on any other
 * phone.
 */
export async function publicKeyOf(
  db: ScannerDb,
  { role, phone_id }: Pick<Device, 'role' | 'phone_id'>,
): Promise<string | undefined> {
  if (role !== 'supervisor') return undefined;
  const known = await readMeta(db, 'signing_key');
  if (known?.phone_id === phone_id) return known.public_key;
  return (await makeKey(db, phone_id)).public_key;
}

async function makeKey(db: ScannerDb, phone_id: string): Promise<SigningKey> {
  try {
    return await keepFirst(db, await newKey(phone_id, false));
  } catch (error) {
    // Some WebKits store no keys without a system keyring; then the key's bytes are stored, as
    // for the key that seals the list.
    if (!(error instanceof Error) || !/clone/i.test(`${error.name} ${error.message}`)) throw error;
    const { private_key, ...rest } = await newKey(phone_id, true);
    const bytes = await crypto.subtle.exportKey('pkcs8', private_key as CryptoKey);
    return keepFirst(db, { ...rest, private_key: new Uint8Array(bytes) });
  }
}

async function newKey(phone_id: string, isExtractable: boolean): Promise<SigningKey> {
  const pair = await crypto.subtle.generateKey(curve, isExtractable, ['sign', 'verify']);
  const point = await crypto.subtle.exportKey('raw', pair.publicKey);
  const public_key = base64urlOf(new Uint8Array(point));
  return { phone_id, public_key, private_key: pair.privateKey };
}

/** When two tabs make a key at the same time, the first one counts. */
async function keepFirst(db: ScannerDb, key: SigningKey): Promise<SigningKey> {
  return db.transaction('rw', [db.meta], async () => {
    const known = await readMeta(db, 'signing_key');
    if (known?.phone_id === key.phone_id) return known;
    await writeMeta(db, 'signing_key', key);
    return key;
  });
}

/** Hexadecimal, in upper case. @throws when this phone has no key */
export async function sign(db: ScannerDb, text: string): Promise<string> {
  const known = await readMeta(db, 'signing_key');
  if (!known) throw new Error('This phone has no key to sign with');
  const { private_key } = known;
  const key =
    private_key instanceof CryptoKey
      ? private_key
      : await crypto.subtle.importKey('pkcs8', private_key, curve, false, ['sign']);
  const signature = await crypto.subtle.sign(signing, key, new TextEncoder().encode(text));
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

/** False also for a malformed key or signature. */
export async function isSignedBy(
  public_key: Uint8Array<ArrayBuffer>,
  { text, signature }: { text: string; signature: string },
): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('raw', public_key, curve, false, ['verify']);
    const bytes = Uint8Array.from(signature.match(/../g) ?? [], (pair) =>
      Number.parseInt(pair, 16),
    );
    return await crypto.subtle.verify(signing, key, bytes, new TextEncoder().encode(text));
  } catch {
    return false;
  }
}
