/** Reads a request body up to a limit, as bytes or as JSON. */
import { isUtf8 } from 'node:buffer';
import { finished } from 'node:stream/promises';
import type { Context } from 'koa';
import { Refusal } from '#server/domain/refusal.ts';
import { BodyInFlight, type Sender } from './body-room.ts';

export interface Wanted {
  maxBytes: number;
  sender: Sender;
}

/**
 * A refused body is read to its end and dropped, so that the client gets its answer.
 * @throws Refusal body_too_large, body_too_slow, try_again when too many bodies are in flight
 */
export async function readRawBody(ctx: Context, { maxBytes, sender }: Wanted): Promise<Buffer> {
  if (Number(ctx.get('content-length')) > maxBytes) throw new Refusal('body_too_large');
  const body = new BodyInFlight(ctx, sender);
  const blocks: Buffer[] = [];
  let size = 0;
  let free = 0;
  // The bytes are copied into blocks, because a chunk of one byte would take a hundred.
  const gather = (chunk: Buffer) => {
    if (size + chunk.length > maxBytes) throw new Refusal('body_too_large');
    for (let at = 0; at < chunk.length;) {
      if (free === 0) {
        free = Math.max(1_024, Math.min(chunk.length - at, 65_536), Math.min(size, 65_536));
        body.take(free);
        blocks.push(Buffer.allocUnsafe(free));
      }
      const last = blocks.at(-1)!;
      const copied = chunk.copy(last, last.length - free, at);
      at += copied;
      size += copied;
      free -= copied;
    }
  };
  const onData = (chunk: Buffer) => {
    try {
      gather(chunk);
    } catch (error) {
      body.cut(error as Refusal);
    }
  };
  ctx.req.on('data', onData);
  try {
    await body.within(finished(ctx.req));
  } finally {
    ctx.req.off('data', onData).resume();
  }
  return Buffer.concat(blocks, size);
}

/**
 * Reads an object or a list as UTF-8, whatever charset is declared (RFC 8259 §8.1), and drops any
 * `__proto__` key.
 * @throws Refusal broken_json, and those of readRawBody()
 */
export async function readJson(ctx: Context, wanted: Wanted): Promise<unknown> {
  const bytes = await readRawBody(ctx, wanted);
  // A name in another charset would be stored without its accents.
  if (!isUtf8(bytes)) throw new Refusal('broken_json');
  const text = bytes.toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (/__proto__|\\u/.test(text)) dropPrototypes(value);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The parser's own message would not help the reader.
  }
  throw new Refusal('broken_json');
}

/** A walk, because a reviver takes a tenth of a second for 200,000 values. */
function dropPrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
  for (const part of Object.values(value)) dropPrototypes(part);
}
