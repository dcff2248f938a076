/** Sends large reports in pieces, so that other calls can run in between. */
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { sent } from '#server/standins/seatsio/router.ts';
import type { ServerResponse } from 'node:http';

/** How many objects are described in one go: about two milliseconds. */
const PIECE = 250;
/** The error codes after a caller has disconnected. */
const GONE = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE']);

/** Stops silently when the caller disconnects; other errors are handled as usual. */
export function sendPieces(
  response: ServerResponse,
  contentType: string,
  pieces: Iterable<string>,
): typeof sent {
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', 'no-store');
  pipeline(async function* yieldBetween() {
    for (const piece of pieces) {
      yield piece;
      await setImmediate();
    }
  }, response).catch((error: NodeJS.ErrnoException) => {
    if (!GONE.has(error.code ?? '')) console.error('seats.io stand-in:', error);
  });
  return sent;
}

/** Yields a JSON list of the descriptions of all items. */
export function* writeList<T>(items: T[], describe: (item: T) => object): Generator<string> {
  yield '[';
  yield* writeItems(items, describe);
  yield ']';
}

function* writeItems<T>(items: T[], describe: (item: T) => object): Generator<string> {
  for (let start = 0; start < items.length; start += PIECE) {
    yield (
      (start === 0 ? '' : ',') +
        items
          .slice(start, start + PIECE)
          .map((item) => JSON.stringify(describe(item)))
          .join(',')
    );
  }
}

/** Yields `{name: […], …}`, with many small groups in one piece. */
export function* writeGroups<T>(
  groups: Map<string, T[]>,
  describe: (item: T) => object,
): Generator<string> {
  let text = '{';
  let count = 0;
  let first = true;
  for (const [name, items] of groups) {
    text += `${first ? '' : ','}${JSON.stringify(name)}:[`;
    first = false;
    for (const piece of writeItems(items, describe)) {
      text += piece;
      count += Math.min(items.length, PIECE);
      if (count < PIECE) continue;
      yield text;
      text = '';
      count = 0;
    }
    text += ']';
  }
  yield `${text}}`;
}
