/** Checks an Ed25519 signature with the browser's own means. */
import type { CheckSignature } from '#server/domain/book/verdict.ts';

/** Null where the browser does not know this kind of signature. */
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
