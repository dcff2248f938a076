/** A phone's first list is sealed and written piece by piece while it is still on its way: at its last byte most of it lies on the disk. */
import { answerStart, blockLength } from '#server/domain/door-block.ts';
import type { Phone } from './memory.ts';
import { sealPart } from './seal.ts';
import type { Draft, StoredEvent, StoredPart } from './store.ts';

const pieceBytes = 500_000;
/** A piece so near the end would still be on its way to the disk when the last one wants to go. */
const fewestLeft = 250_000;

/** What a whole list is written under; made while it is still on its way. */
export interface Ground {
  draft: Draft;
  key: CryptoKey;
}

/** Whether the event still waits for that very list. */
export function isOn({ draft }: Ground, event: StoredEvent): boolean {
  return event.draft?.generation === draft.generation && event.draft.parts === draft.parts;
}

export interface Pieces {
  /** So many bytes of the answer have come. */
  grow: (answer: Uint8Array<ArrayBuffer>, have: number) => void;
  /** Until nothing is on its way to the disk any more; never rejects. */
  settled: () => Promise<void>;
  /** What is not yet written of the block, sealed: its last piece, or all of it. Rejects when the others could not be written. */
  finish: (ground: Ground, block: Uint8Array<ArrayBuffer>) => Promise<StoredPart>;
}

/** `ground` may come later than the first bytes; null in the end: nothing may be kept. */
export function cutInPieces(
  { db, memory }: { db: Phone['db']; memory: Pick<Phone['memory'], 'lists'> },
  event_id: string,
  ground: Promise<Ground | null>,
): Pieces {
  let cut = 0;
  let writing: Promise<unknown> = ground;
  const nameIn = ({ draft }: Ground, n: number) => ({
    event_id,
    generation: draft.generation + 1,
    n,
  });
  const write = async (n: number, bytes: Uint8Array<ArrayBuffer>) => {
    const own = await ground;
    if (!own) return;
    const part = await sealPart(own.key, nameIn(own, n), bytes);
    await db.transaction('rw', [db.events, db.parts], async () => {
      const event = await db.events.get(event_id);
      if (event && isOn(own, event)) await db.parts.put(part);
    });
  };
  return {
    grow(answer, have) {
      // Where there is a list, be it another event's, there are scans, and they would wait for every piece.
      const length = memory.lists.size === 0 ? blockLength(answer.subarray(0, have)) : null;
      if (length === null) return;
      for (
        let end = (cut + 1) * pieceBytes;
        end + fewestLeft <= length && answerStart + end <= have;
        end += pieceBytes
      ) {
        const n = cut;
        const piece = answer.subarray(answerStart + end - pieceBytes, answerStart + end);
        writing = writing.then(() => write(n, piece));
        cut += 1;
      }
      // It is waited for at the end, if there is one.
      writing.catch(() => {});
    },
    settled: () =>
      writing.then(
        () => {},
        () => {},
      ),
    async finish(own, block) {
      const [part] = await Promise.all([
        sealPart(own.key, nameIn(own, cut), block.subarray(cut * pieceBytes)),
        writing,
      ]);
      return part;
    },
  };
}
