/**
 * A head is one hash over all open books and the sealed Registro at the end of a day. Once it is
 * published, it proves that nothing earlier was rewritten.
 */
import { hashText } from './sha256.ts';

/** One step from a leaf to the root: the side of the other hash, and that hash. */
type PathStep = ['left' | 'right', string];

/**
 * A head as a row of a book: `rows` and `hash` are the state of this book, and `path` leads from
 * there to `root`; the newest seal of the Registro is under the root, too.
 */
export interface DayHead {
  /** The day in Rome, `2026-11-26`. */
  day: string;
  /** The head of the day before; empty for the first head. */
  before: string;
  rows: number;
  hash: string;
  path: PathStep[];
  root: string;
  seal: number;
  seal_hash: string;
  head: string;
}

/** `start` is the hash of the book's first line, which names the event. */
export function leafOf({
  start,
  rows,
  hash,
}: {
  start: string;
  rows: number;
  hash: string;
}): string {
  return hashText(`foglia ${start} ${rows} ${hash}`);
}

type HeadParts = Pick<DayHead, 'day' | 'before' | 'root' | 'seal' | 'seal_hash'>;

export function headOf({ day, before, root, seal, seal_hash }: HeadParts): string {
  return hashText(`testa/1 ${day} ${before} ${root} ${seal} ${seal_hash}`);
}

/** The text that the house signs for a head. */
export function headText(day: string, head: string): string {
  return `testa/1 ${day} ${head}`;
}

/**
 * The root of a hash tree over the leaves in their order. Where a level has an odd number of
 * nodes, the last one moves up unchanged. Without leaves the root is empty.
 */
export function treeOf(leaves: readonly string[]): {
  root: string;
  pathOf: (leaf: number) => PathStep[];
} {
  let top = [...leaves];
  const floors = [top];
  while (top.length > 1) floors.push((top = floorAbove(top)));
  return {
    root: top[0] ?? '',
    pathOf(leaf) {
      const path: PathStep[] = [];
      let at = leaf;
      for (const floor of floors) {
        const other = floor[at ^ 1];
        if (other !== undefined) path.push([at % 2 === 0 ? 'right' : 'left', other]);
        at = Math.floor(at / 2);
      }
      return path;
    },
  };
}

function floorAbove(floor: readonly string[]): string[] {
  return floor.flatMap((left, at) => {
    if (at % 2 === 1) return [];
    const right = floor[at + 1];
    return right === undefined ? left : join(left, right);
  });
}

export function rootOfLeaf(leaf: string, path: readonly PathStep[]): string {
  return path.reduce(
    (hash, [side, other]) => (side === 'right' ? join(hash, other) : join(other, hash)),
    leaf,
  );
}

function join(left: string, right: string): string {
  return hashText(`nodo ${left} ${right}`);
}

/** The day as heads are published and printed: `26/11/2026`. */
export function sayDay(day: string): string {
  return day.split('-').toReversed().join('/');
}
