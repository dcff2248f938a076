/** Stores uploaded pictures in several sizes, serves them, deletes those that no event shows. */
import { createHash } from 'node:crypto';
import { isUniqueViolation } from '#db/engine/dialect.ts';
import { findImageFile, insertImage, purgeImages, renewImage } from '#db/event/images.ts';
import type { ImageRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { makePicture, type Crop, type PictureFault } from '#server/adapters/images.ts';
import { imageIdOf, type ImageFormat, type ImageShape } from '#server/domain/event/image.ts';
import { Refusal, type RefusalCode } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { lookOf } from '#server/services/site/look.ts';
import { happened } from '#server/services/kit/happened.ts';
import type { Actor, Ctx } from '#server/services/context.ts';

const refusalOf: Record<PictureFault, RefusalCode> = {
  unreadable: 'image_unreadable',
  too_large: 'image_too_large',
  too_small: 'image_too_small',
};

interface PictureAsk {
  file: Uint8Array;
  shape: ImageShape | 'logo';
  x?: number;
  y?: number;
  size?: number;
  actor: Actor;
}

/** Pictures are processed one at a time, because a decoded picture is large. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Stores a picture; the same picture with the same crop is stored once.
 * @throws Refusal image_unreadable, image_too_large, image_too_small
 */
export async function takePicture(
  ctx: Ctx,
  { file, shape, x, y, size, actor }: PictureAsk,
): Promise<{ url: string; width: number; height: number }> {
  const crop: Crop | null =
    shape === 'ball' && (x !== undefined || y !== undefined || size !== undefined)
      ? { x: x ?? 0, y: y ?? 0, size: size ?? 1 }
      : null;
  const content_hash = createHash('sha256')
    .update(JSON.stringify([shape, crop]))
    .update(file)
    .digest('hex');
  const known = await renewImage(ctx.db, content_hash, ctx.now());
  if (known) return answerOf(known);
  const turn = last.then(() => makePicture(file, { shape, crop }));
  last = turn.catch(() => {});
  const files = await turn;
  if (typeof files === 'string') throw new Refusal(refusalOf[files]);
  const largest = requireValue(files.at(-1), 'size');
  const image: ImageRow = {
    id: ctx.newId(),
    content_hash,
    shape,
    width: largest.width,
    height: largest.height,
    created_at: ctx.now(),
  };
  try {
    await transact(ctx.db, async (trx) => {
      await insertImage(
        trx,
        image,
        files.map(({ width, format, content }) => ({ image_id: image.id, width, format, content })),
      );
      await happened(ctx, trx, {
        actor,
        action: 'image_added',
        subject: image.id,
        detail: { shape, width: image.width, height: image.height, bytes: file.byteLength },
      });
    });
  } catch (error) {
    const same = isUniqueViolation(error)
      ? await renewImage(ctx.db, content_hash, ctx.now())
      : undefined;
    if (!same) throw error;
    return answerOf(same);
  }
  return answerOf(image);
}

function answerOf({ id, width, height }: ImageRow): { url: string; width: number; height: number } {
  return { url: `/media/${id}`, width, height };
}

/** Undefined if there is no such picture. */
export async function pictureFile(
  ctx: Ctx,
  id: string,
  ask: { width: number; format: ImageFormat },
): Promise<Buffer | undefined> {
  return findImageFile(ctx.db, id, ask);
}

/** Pictures that no event has used within this time are deleted. */
const unusedMs = 7 * 24 * 3_600_000;

export async function forgetUnusedImages(ctx: Ctx): Promise<void> {
  const logo = imageIdOf((await lookOf(ctx)).logo);
  while ((await transact(ctx.db, (trx) => purgeImages(trx, ctx.now() - unusedMs, logo))) > 0);
}
