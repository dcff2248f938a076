/** Reads the body of a request up to a limit of bytes. */
import type { IncomingMessage } from 'node:http';

const MEGABYTE = 1024 * 1024;
/** Beyond this an upload is answered before its end; the rest of it is read away behind the answer. */
const DRAINED = 16 * MEGABYTE;

/** `too_large`: more than the limit; `cut_off`: it did not arrive whole. */
export class BodyError extends Error {
  readonly reason: 'too_large' | 'cut_off';

  constructor(reason: 'too_large' | 'cut_off') {
    super(reason === 'too_large' ? 'The body is too large' : 'The body did not arrive');
    this.reason = reason;
  }
}

/**
 * Reads on after the limit, so that the caller hears the refusal instead of a broken line.
 * @throws BodyError
 */
export async function readBody(request: IncomingMessage, limit = MEGABYTE): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Who leaves the loop early must not cut the line: the caller still writes, and would never see the refusal.
    const parts = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const chunk of parts) {
      size += chunk.length;
      if (size > DRAINED) break;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    throw new BodyError('cut_off');
  }
  if (size > limit) throw new BodyError('too_large');
  return Buffer.concat(chunks);
}
