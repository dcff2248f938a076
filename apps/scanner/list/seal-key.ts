/** The key that encrypts the list; the browser stores it and does not let it be read. */
import { algorithm } from './seal.ts';
import { readMeta, writeMeta, type ScannerDb } from '#apps/scanner/kit/store.ts';

/** The key is made when first needed; a wipe deletes it, and the next list gets another. */
export async function readSealKey(db: ScannerDb): Promise<CryptoKey> {
  const known = await readMeta(db, 'seal_key');
  if (known) return asKey(known);
  const fresh = await crypto.subtle.generateKey(algorithm, false, ['encrypt', 'decrypt']);
  try {
    return await keepFirst(db, fresh);
  } catch (error) {
    // Some WebKits store no keys without a system keyring: then the key's bytes are stored, and
    // the list is still not readable by itself.
    if (!(error instanceof Error) || !/clone/i.test(`${error.name} ${error.message}`)) throw error;
    return keepFirst(db, crypto.getRandomValues(new Uint8Array(algorithm.length / 8)));
  }
}

/** When two tabs make a key at the same time, the first one counts. */
async function keepFirst(
  db: ScannerDb,
  key: CryptoKey | Uint8Array<ArrayBuffer>,
): Promise<CryptoKey> {
  const kept = await db.transaction('rw', [db.meta], async () => {
    const known = await readMeta(db, 'seal_key');
    if (!known) await writeMeta(db, 'seal_key', key);
    return known ?? key;
  });
  return asKey(kept);
}

function asKey(key: CryptoKey | Uint8Array<ArrayBuffer>): CryptoKey | Promise<CryptoKey> {
  return key instanceof CryptoKey
    ? key
    : crypto.subtle.importKey('raw', key, algorithm.name, false, ['encrypt', 'decrypt']);
}
