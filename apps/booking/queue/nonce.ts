/** What this browser throws into the draw of a waiting room: 128 bits of its own, kept so that a person finds them again in the published list. */
import { keptText, parseKept } from '#apps/booking/shell/kept-text.ts';
import { toBase64url } from '#server/domain/book/sha256.ts';

/** Version 1: a change of shape gets a new key. */
const kept = keptText('localStorage', 'botteghino.queue.1');

/** All tabs have the same one. */
export function nonceFor(eventId: string): string {
  const known = parseKept(kept.read()) as { event_id?: unknown; nonce?: unknown } | null;
  if (known?.event_id === eventId && typeof known.nonce === 'string') return known.nonce;
  const nonce = toBase64url(crypto.getRandomValues(new Uint8Array(16)));
  kept.write(JSON.stringify({ event_id: eventId, nonce }));
  return nonce;
}
