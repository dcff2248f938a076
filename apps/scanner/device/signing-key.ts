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
  { role, phone_id, supervisor_pin }: Pick<Device, 'role' | 'phone_id' | 'supervisor_pin'>,
): Promise<string | undefined> {
  if (role !== 'supervisor') return undefined;
  const known = await readMeta(db, 'signing_key');
  if (known?.phone_id === phone_id) return known.public_key;
  return (await makeKey(db, phone_id, supervisor_pin !== null)).public_key;
}

/** `isSealed`: a PIN will seal the key later, and sealing needs the key's bytes. */
async function makeKey(db: ScannerDb, phone_id: string, isSealed: boolean): Promise<SigningKey> {
  try {
    if (isSealed) return await keepFirst(db, await bytesOfNewKey(phone_id));
    return await keepFirst(db, await newKey(phone_id, false));
  } catch (error) {
    // Some WebKits store no keys without a system keyring; then the key's bytes are stored, as
    // for the key that seals the list.
    if (!(error instanceof Error) || !/clone/i.test(`${error.name} ${error.message}`)) throw error;
    return keepFirst(db, await bytesOfNewKey(phone_id));
  }
}

async function bytesOfNewKey(phone_id: string): Promise<SigningKey> {
  const { private_key, ...rest } = await newKey(phone_id, true);
  const bytes = await crypto.subtle.exportKey('pkcs8', private_key);
  return { ...rest, private_key: new Uint8Array(bytes) };
}

interface Pin {
  digits: string;
  iterations: number;
}

/**
 * The key that signs; call it with a PIN that was checked. The first call seals stored bytes, later
 * ones unseal them; a CryptoKey is returned as it is.
 * @throws if the digits are wrong or there is no key
 */
export async function unsealKey(db: ScannerDb, pin: Pin): Promise<CryptoKey> {
  const known = await readMeta(db, 'signing_key');
  if (!known) throw new Error('This phone has no key to sign with');
  const { private_key } = known;
  if (private_key instanceof CryptoKey) return private_key;
  if (!(private_key instanceof Uint8Array)) {
    const { salt, iv, sealed } = private_key;
    const bytes = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv },
      await keyOfPin(pin, salt),
      sealed,
    );
    return keyOfBytes(new Uint8Array(bytes));
  }
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv },
    await keyOfPin(pin, salt),
    private_key,
  );
  await writeMeta(db, 'signing_key', { ...known, private_key: { salt, iv, sealed } });
  return keyOfBytes(private_key);
}

async function keyOfPin(
  { digits, iterations }: Pin,
  salt: Uint8Array<ArrayBuffer>,
): Promise<CryptoKey> {
  const given = new TextEncoder().encode(digits);
  const pin = await crypto.subtle.importKey('raw', given, 'PBKDF2', false, ['deriveKey']);
  const way = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations };
  const use: KeyUsage[] = ['encrypt', 'decrypt'];
  return crypto.subtle.deriveKey(way, pin, { name: 'AES-GCM', length: 256 }, false, use);
}

function keyOfBytes(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('pkcs8', bytes, curve, false, ['sign']);
}

async function newKey(
  phone_id: string,
  isExtractable: boolean,
): Promise<SigningKey & { private_key: CryptoKey }> {
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

/**
 * Hexadecimal, in upper case. `openKey`: the one that the PIN has opened; null: there is no PIN.
 * @throws when this phone has no key, or only a sealed one
 */
export async function sign(
  db: ScannerDb,
  openKey: CryptoKey | null,
  text: string,
): Promise<string> {
  const key = openKey ?? (await unsealedKey(db));
  const signature = await crypto.subtle.sign(signing, key, new TextEncoder().encode(text));
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

async function unsealedKey(db: ScannerDb): Promise<CryptoKey> {
  const key = (await readMeta(db, 'signing_key'))?.private_key;
  if (key instanceof CryptoKey) return key;
  if (key instanceof Uint8Array) return keyOfBytes(key);
  throw new Error('This phone has no key that is open');
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
