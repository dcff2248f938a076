/** Checks an Ed25519 signature with the browser's own cryptography. */
import type { CheckSignature } from '#server/domain/book/verdict.ts';

/** Null: the browser does not support Ed25519. */
export const checkSignature: CheckSignature = async ({ key, signature, text }) => {
  try {
    const known = await crypto.subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify']);
    return await crypto.subtle.verify(
      { name: 'Ed25519' },
      known,
      signature,
      new TextEncoder().encode(text),
    );
  } catch {
    return null;
  }
};
