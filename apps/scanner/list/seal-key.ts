/** The key that seals the list; the browser keeps it and does not reveal it. */
import { algorithm } from './seal.ts';
import { readMeta, writeMeta, type ScannerDb } from '#apps/scanner/kit/store.ts';

/** Made at the first need; a wipe forgets it, and the next list gets another. */
export async function readSealKey(db: ScannerDb): Promise<CryptoKey> {
  const known = await readMeta(db, 'seal_key');
  if (known) return asKey(known);
  const fresh = await crypto.subtle.generateKey(algorithm, false, ['encrypt', 'decrypt']);
  try {
    return await keepFirst(db, fresh);
  } catch (error) {
    // Some WebKits keep no keys without a system keyring: then its bytes are kept, and the list
    // is still not readable by itself.
    if (!(error instanceof Error) || !/clone/i.test(`${error.name} ${error.message}`)) throw error;
    return keepFirst(db, crypto.getRandomValues(new Uint8Array(algorithm.length / 8)));
  }
}

/** Two tabs at once: the first key counts. */
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
