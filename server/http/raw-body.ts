/** A request's bytes as they came, up to a limit: for what no parser may touch. */
import type { IncomingMessage } from 'node:http';
import { Refusal } from '#server/domain/refusal.ts';

/** Throws body_too_large. */
export async function readRawBody(from: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of from as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Refusal('body_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
