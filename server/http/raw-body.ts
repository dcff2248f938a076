/** Reads a request body up to a limit, as bytes or as JSON. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Refusal } from '#server/domain/refusal.ts';

/** Throws body_too_large; what is left unread goes with the connection, after the answer. */
export async function readRawBody(from: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(from.headers['content-length'] ?? 0) > maxBytes) throw new Refusal('body_too_large');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Refusal('body_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * An object or a list in UTF-8, whatever charset is claimed (RFC 8259 §8.1). Throws
 * body_too_large and broken_json. A `__proto__` key is left out.
 */
export async function readJson(from: IncomingMessage, maxBytes: number): Promise<unknown> {
  const bytes = await readRawBody(from, maxBytes);
  // Read all the same, a name in another charset would be stored with its accents lost.
  if (!isUtf8(bytes)) throw new Refusal('broken_json');
  const text = bytes.toString('utf8');
  try {
    const value: unknown = JSON.parse(
      text,
      /__proto__|\\u/.test(text)
        ? (key, value: unknown) => (key === '__proto__' ? undefined : value)
        : undefined,
    );
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The parser's own message would not help the reader of our answer.
  }
  throw new Refusal('broken_json');
}
