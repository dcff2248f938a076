/** Reads the body of a request up to a limit of bytes. */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const MEGABYTE = 1024 * 1024;
/** How far beyond the limit an upload is read to its end; a longer one is answered before. */
const DRAINED = 15 * MEGABYTE;

const SENTENCES = {
  too_large: 'The body is too large',
  cut_off: 'The body did not arrive',
  bad_packing: 'The body is not packed as its Content-Encoding says',
};

/** `too_large`: over the limit; `cut_off`: incomplete; `bad_packing`: cannot be unpacked. */
export class BodyError extends Error {
  readonly reason: keyof typeof SENTENCES;

  constructor(reason: keyof typeof SENTENCES) {
    super(SENTENCES[reason]);
    this.reason = reason;
  }
}

/**
 * Reads on beyond the limit, so that the caller gets the refusal, not a broken connection.
 * @throws BodyError
 */
export async function readBody(request: IncomingMessage, limit = MEGABYTE): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The connection stays open after the loop, so that a caller who still writes gets the
    // refusal.
    const parts = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const chunk of parts) {
      size += chunk.length;
      if (size > limit + DRAINED) break;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    throw new BodyError('cut_off');
  }
  if (size > limit) throw new BodyError('too_large');
  return Buffer.concat(chunks);
}

const unzip = promisify(gunzip);

/** Also unpacks gzip; the limit is for the unpacked bytes. @throws BodyError */
export async function readUnpacked(request: IncomingMessage, limit = MEGABYTE): Promise<Buffer> {
  const body = await readBody(request, limit);
  if (request.headers['content-encoding']?.toLowerCase() !== 'gzip') return body;
  return unzip(body, { maxOutputLength: limit }).catch((error: NodeJS.ErrnoException) => {
    throw new BodyError(error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'bad_packing');
  });
}
