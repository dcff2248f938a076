/** Reads a multipart form with one file into memory, within limits. */
import type { Context } from 'koa';
import { imageBytesMax } from '#server/domain/event/image.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { BodyInFlight } from './body-room.ts';

const limits = {
  fileSize: imageBytesMax,
  files: 1,
  fields: 10,
  fieldSize: 1_000,
  fieldNameSize: 50,
  parts: 12,
  headerPairs: 20,
};

/** Reads the form; its library is loaded at the first upload, because most houses rest all day. */
async function upload(ctx: Context): Promise<void> {
  const { default: multer } = await import('@koa/multer');
  await multer({ storage: multer.memoryStorage(), limits }).single('file')(ctx, async () => {});
}

interface SentForm {
  file: Uint8Array;
  fields: Record<string, unknown>;
}

/**
 * Requires `X-Requested-With`, which another site's plain form cannot set (ASVS 3.5.1).
 * @throws Refusal wrong_origin, wrong_content_type, body_too_large, body_too_slow, bad_request
 * without a file, try_again when too many bodies are in flight
 */
export async function readForm(ctx: Context): Promise<SentForm> {
  if (ctx.get('x-requested-with') === '') throw new Refusal('wrong_origin');
  if (!ctx.is('multipart/form-data')) throw new Refusal('wrong_content_type');
  // Browsers send the length, so a large file is refused before any byte is read.
  const { length } = ctx.request;
  if (length === undefined) throw new Refusal('bad_request', { part: 'form' });
  if (length > imageBytesMax + 20_000) throw new Refusal('body_too_large');
  const body = new BodyInFlight(ctx, 'known');
  body.take(length);
  try {
    await body.within(upload(ctx));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const { code } = error as { code?: string };
    if (code === 'LIMIT_FILE_SIZE') throw new Refusal('body_too_large');
    throw new Refusal('bad_request', { part: 'form' }, error);
  }
  const file = ctx.file as { buffer: Buffer } | undefined;
  if (!file) throw new Refusal('bad_request', { part: 'form', fields: ['file'] });
  return { file: file.buffer, fields: { ...(ctx.request as { body?: object }).body } };
}
