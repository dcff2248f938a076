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

/** A megabyte at a time: the whole at once would hold the camera's thread. */
const pieceBytes = 2 ** 20;

export async function sealPieces(key: CryptoKey, name: Omit<PartName, 'n'>, bytes: ArrayBuffer): Promise<StoredPart[]> {
  const parts: StoredPart[] = [];
  for (let from = 0; from < bytes.byteLength; from += pieceBytes) parts.push(await sealPart(key, { ...name, n: parts.length }, new Uint8Array(bytes, from, Math.min(pieceBytes, bytes.byteLength - from))));
  return parts;
}

export async function openPieces(key: CryptoKey, parts: readonly StoredPart[]): Promise<ArrayBuffer> {
  const pieces = await Promise.all(parts.map((part) => openPart(key, part)));
  const bytes = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(new Uint8Array(piece), at);
    at += piece.byteLength;
  }
  return bytes.buffer;
}

/** @throws when it was changed, belongs elsewhere, or the key is another */
export function openPart(key: CryptoKey, part: StoredPart): Promise<ArrayBuffer> {
  return crypto.subtle.decrypt({ name: algorithm.name, iv: part.iv, additionalData: labelOf(part) }, key, part.sealed);
}

/** A block opens only where it was put. */
function labelOf({ event_id, generation, n }: PartName): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${event_id}\n${generation}\n${n}`);
}
