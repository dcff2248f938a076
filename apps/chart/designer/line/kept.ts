/**
 * Stores drawings that could not be sent in this browser, and offers them when their chart is
 * opened again.
 */
import { openDrawing, saveDrawing } from '#server/drawing/model/open.ts';
import { diffDrawings } from '#server/drawing/diff/diff.ts';
import type { Doc } from '#server/drawing/model/data.ts';

interface Record {
  /** The drawing's chart, and the open designer that stored the drawing. */
  id: string;
  chart: string;
  /** The version that the drawing was based on. */
  version: number;
  at: number;
  drawing: unknown;
}

export interface Kept {
  id: string;
  version: number;
  at: number;
  doc: Doc;
}

function promiseOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('The browser keeps nothing')),
    );
  });
}

/**
 * Resolves when the data are committed, because only then do they survive a page that is closed
 * immediately.
 */
function committed({ transaction }: IDBObjectStore): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new Error('The browser keeps nothing')),
    );
  });
}

async function openStore(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const opening = indexedDB.open('chart-designer', 1);
  opening.addEventListener('upgradeneeded', () =>
    opening.result.createObjectStore('drawings', { keyPath: 'id' }),
  );
  const database = await promiseOf(opening);
  const store = database.transaction('drawings', mode).objectStore('drawings');
  store.transaction.addEventListener('complete', () => database.close());
  return store;
}

/** False when this browser stores nothing, as in a private window. */
export async function keepDrawing(
  doc: Doc,
  { chart, tab, version }: { chart: string; tab: string; version: number },
): Promise<boolean> {
  const record: Record = {
    id: `${chart} ${tab}`,
    chart,
    version,
    at: Date.now(),
    drawing: saveDrawing(doc),
  };
  // A browser may drop its connection once, in the middle of a write; the same record is written.
  return (await isPut(record)) || isPut(record);
}

async function isPut(record: Record): Promise<boolean> {
  try {
    const store = await openStore('readwrite');
    store.put(record);
    await committed(store);
    return true;
  } catch {
    return false;
  }
}

/** The chart's latest stored drawing that differs from the server's; null when there is none. */
export async function findKept(chart: string, onServer: Doc): Promise<Kept | null> {
  try {
    const all: Record[] = await promiseOf((await openStore('readonly')).getAll());
    const latest = all
      .filter((record) => record.chart === chart)
      .toSorted((a, b) => b.at - a.at)[0];
    if (!latest) return null;
    const doc = openDrawing(latest.drawing);
    const { places, things } = diffDrawings(onServer, doc);
    if (places.length + things.length > 0) return { ...latest, doc };
    // The page sent it while closing, and the server has it.
    await forgetKept(latest.id);
    return null;
  } catch {
    return null;
  }
}

export async function forgetKept(id: string): Promise<void> {
  try {
    const store = await openStore('readwrite');
    store.delete(id);
    await committed(store);
  } catch {
    // The browser could not store it either.
  }
}
