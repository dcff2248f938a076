/**
 * This browser's part in the draw of a waiting room: 128 random bits and the published hash,
 * stored so that a person can find both in the published list.
 */
import { keptText, parseKept } from '#apps/booking/shell/kept-text.ts';
import { toBase64url } from '#server/domain/book/sha256.ts';

/** Use a new number if the shape changes. */
const kept = keptText('localStorage', 'botteghino.queue.1');

interface OwnPart {
  event_id: string;
  nonce: string;
  /** Null if no draw was planned. */
  seed_hash: string | null;
}

export function ownPart(eventId: string): OwnPart | null {
  const known = parseKept(kept.read()) as Partial<OwnPart> | null;
  return known?.event_id === eventId && typeof known.nonce === 'string' ? (known as OwnPart) : null;
}

/** All tabs share one part. */
export function makeOwnPart(eventId: string, seed_hash: string | null): OwnPart {
  const known = ownPart(eventId);
  if (known?.seed_hash === seed_hash) return known;
  const nonce = toBase64url(crypto.getRandomValues(new Uint8Array(16)));
  const made = { event_id: eventId, nonce, seed_hash };
  kept.write(JSON.stringify(made));
  return made;
}
