/** Reads the published list of a draw. */
import type { Draw } from '#server/domain/queue/draw.ts';

export interface PublishedDraw extends Draw {
  event_id: string;
  fixed_at: string;
  opened_at: string;
}

const texts = ['event_id', 'seed_hash', 'root', 'seed', 'fixed_at', 'opened_at'] as const;

/** Null: the text is not such a list. */
export function readDraw(text: string): PublishedDraw | null {
  const read = parse(text) as Partial<PublishedDraw> | null;
  if (!read || !texts.every((name) => typeof read[name] === 'string')) return null;
  const isList =
    Array.isArray(read.entrants) &&
    read.entrants.every(
      (one) => one.length === 2 && typeof one[0] === 'string' && typeof one[1] === 'string',
    );
  return isList ? (read as PublishedDraw) : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A browser's own part in the draw, which the waiting page puts into the address's fragment. */
export function readOwn(fragment: string): Record<'place' | 'nonce' | 'promised', string> {
  const own = new URLSearchParams(fragment.replace(/^#/, ''));
  const get = (name: string) => own.get(name) ?? '';
  return { place: get('place'), nonce: get('nonce'), promised: get('promised') };
}
