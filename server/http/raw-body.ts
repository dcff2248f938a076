/** Reads a request body up to a limit, as bytes or as JSON. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Refusal } from '#server/domain/refusal.ts';

/**
 * The unread rest is dropped when the connection closes after the answer.
 * @throws Refusal body_too_large
 */
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
 * An object or a list in UTF-8, whatever charset is declared (RFC 8259 §8.1), without any
 * `__proto__` key.
 * @throws Refusal body_too_large, broken_json
 */
export async function readJson(from: IncomingMessage, maxBytes: number): Promise<unknown> {
  const bytes = await readRawBody(from, maxBytes);
  // A name in another charset would be stored without its accents.
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
    // The parser's own message would not help the reader.
  }
  throw new Refusal('broken_json');
}
