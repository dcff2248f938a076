/** The list at rest: AES-GCM under a key that the browser keeps and gives to nobody; whoever copies the files of a lost phone has nothing. */
import { readMeta, writeMeta, type ScannerDb, type StoredPart } from './store.ts';

const algorithm = { name: 'AES-GCM', length: 256 };
const nonceBytes = 12;

type PartName = Pick<StoredPart, 'event_id' | 'generation' | 'n'>;

/** Made at the first need; a wipe forgets it, and the next list gets another. */
export async function readSealKey(db: ScannerDb): Promise<CryptoKey> {
  const known = await readMeta(db, 'seal_key');
  if (known) return asKey(known);
  const fresh = await crypto.subtle.generateKey(algorithm, false, ['encrypt', 'decrypt']);
  try {
    return await keepFirst(db, fresh);
  } catch (error) {
    // Some WebKits keep no keys without a system keyring: then its bytes are kept, and the list is still not readable by itself.
    if (!(error instanceof Error) || !/clone/i.test(`${error.name} ${error.message}`)) throw error;
    return keepFirst(db, crypto.getRandomValues(new Uint8Array(algorithm.length / 8)));
  }
}

/** Two tabs at once: the first key counts. */
async function keepFirst(db: ScannerDb, key: CryptoKey | Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const kept = await db.transaction('rw', [db.meta], async () => {
    const known = await readMeta(db, 'seal_key');
    if (!known) await writeMeta(db, 'seal_key', key);
    return known ?? key;
  });
  return asKey(kept);
}

function asKey(key: CryptoKey | Uint8Array<ArrayBuffer>): CryptoKey | Promise<CryptoKey> {
  return key instanceof CryptoKey ? key : crypto.subtle.importKey('raw', key, algorithm.name, false, ['encrypt', 'decrypt']);
}

/** Never inside a transaction: IndexedDB closes one that waits for anything else. */
export async function sealPart(key: CryptoKey, name: PartName, bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<StoredPart> {
  const iv = crypto.getRandomValues(new Uint8Array(nonceBytes));
  return { ...name, iv, sealed: await crypto.subtle.encrypt({ name: algorithm.name, iv, additionalData: labelOf(name) }, key, bytes) };
}

/** @throws when it was changed, belongs elsewhere, or the key is another */
export function openPart(key: CryptoKey, part: StoredPart): Promise<ArrayBuffer> {
  return crypto.subtle.decrypt({ name: algorithm.name, iv: part.iv, additionalData: labelOf(part) }, key, part.sealed);
}

/** A block opens only where it was put. */
function labelOf({ event_id, generation, n }: PartName): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${event_id}\n${generation}\n${n}`);
}
