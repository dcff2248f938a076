/**
 * Makes chance and threads the same in every run: ids, keys and nonces come from a seed, and
 * hashing, signing and sealing finish immediately.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const begin = 0x2545f491;
let state = begin;

/** Restarts the numbers from a seed. */
export function resetChance(): void {
  state = begin;
}

/** Mulberry32 gives every 32-bit number once before one repeats. */
function nextByte(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed >>> 13) & 255;
}

function fill(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = nextByte();
}

function bytesOf(view: ArrayBufferView | ArrayBuffer): Uint8Array {
  return ArrayBuffer.isView(view)
    ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    : new Uint8Array(view);
}

/** This must run before any module of the product is loaded. */
export function steerChance(): void {
  const randomBytes = (size: number) => {
    const bytes = Buffer.alloc(size);
    fill(bytes);
    return bytes;
  };
  const randomFillSync = <V extends ArrayBufferView>(view: V): V => {
    fill(bytesOf(view));
    return view;
  };
  Object.assign(crypto, { randomBytes, randomFillSync });
  syncBuiltinESMExports();
  Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: randomFillSync });
  Object.assign(Object.getPrototypeOf(globalThis.crypto.subtle) as object, sameAtOnce);
}

interface Sealing {
  iv: Uint8Array;
  additionalData?: Uint8Array;
}
const tagBytes = 16;
const importKey = globalThis.crypto.subtle.importKey.bind(globalThis.crypto.subtle);

/** The browser's own versions run on another thread and end at an unpredictable time. */
const sameAtOnce = {
  async digest(_: 'SHA-256', data: ArrayBufferView | ArrayBuffer) {
    return copyOf(crypto.createHash('sha256').update(bytesOf(data)).digest());
  },
  async generateKey({ name, length }: AesKeyGenParams, _: boolean, uses: KeyUsage[]) {
    const bytes = new Uint8Array(length / 8);
    fill(bytes);
    return importKey('raw', bytes, name, true, uses);
  },
  // Sealing immediately needs the bytes of the key.
  importKey: (
    format: 'raw',
    bytes: BufferSource,
    name: string | HmacImportParams,
    _: boolean,
    uses: KeyUsage[],
  ): Promise<CryptoKey> => importKey(format, bytes, name, true, uses),
  async sign(_: 'HMAC', key: CryptoKey, data: ArrayBuffer | Uint8Array) {
    return copyOf(crypto.createHmac('sha256', secretOf(key)).update(bytesOf(data)).digest());
  },
  async encrypt({ iv, additionalData }: Sealing, key: CryptoKey, data: ArrayBuffer | Uint8Array) {
    const cipher = crypto.createCipheriv('aes-256-gcm', secretOf(key), iv);
    if (additionalData) cipher.setAAD(additionalData);
    const sealed = [cipher.update(bytesOf(data)), cipher.final(), cipher.getAuthTag()];
    return copyOf(Buffer.concat(sealed));
  },
  async decrypt({ iv, additionalData }: Sealing, key: CryptoKey, data: ArrayBuffer | Uint8Array) {
    const bytes = bytesOf(data);
    const opened = crypto.createDecipheriv('aes-256-gcm', secretOf(key), iv);
    if (additionalData) opened.setAAD(additionalData);
    opened.setAuthTag(bytes.subarray(-tagBytes));
    try {
      return copyOf(Buffer.concat([opened.update(bytes.subarray(0, -tagBytes)), opened.final()]));
    } catch {
      throw new DOMException('The operation failed', 'OperationError');
    }
  },
};

function secretOf(key: CryptoKey): crypto.KeyObject {
  return crypto.KeyObject.from(key);
}

function copyOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
