/**
 * Encrypts the list on the disk with AES-GCM under a key that the browser does not let out, so
 * that the files of a lost phone cannot be read.
 */
import type { PartName, StoredPart } from '#apps/scanner/kit/store.ts';

export const algorithm = { name: 'AES-GCM', length: 256 };
const nonceBytes = 12;

/** Never call this inside a transaction: IndexedDB ends one that waits for anything else. */
export async function sealPart(
  key: CryptoKey,
  name: PartName,
  bytes: ArrayBuffer | Uint8Array<ArrayBuffer>,
): Promise<StoredPart> {
  const iv = crypto.getRandomValues(new Uint8Array(nonceBytes));
  return {
    ...name,
    iv,
    sealed: await crypto.subtle.encrypt(
      { name: algorithm.name, iv, additionalData: labelOf(name) },
      key,
      bytes,
    ),
  };
}

/** @throws when the part was changed or moved, or the key is another */
export function openPart(key: CryptoKey, part: StoredPart): Promise<ArrayBuffer> {
  return crypto.subtle.decrypt(
    { name: algorithm.name, iv: part.iv, additionalData: labelOf(part) },
    key,
    part.sealed,
  );
}

/** The part's name is authenticated too, so a part opens only under its own name. */
function labelOf({ event_id, generation, n }: PartName): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${event_id}\n${generation}\n${n}`);
}
