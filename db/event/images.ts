/**
 * Pictures in SQL, because several processes may serve them: one row per picture, and one per
 * file of a picture.
 */
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { ImageFileRow, ImageRow } from '#db/rows.ts';

/**
 * Makes a picture that is uploaded again count as new, because an open form may hold its address.
 */
export async function renewImage(
  db: Db,
  content_hash: string,
  now: number,
): Promise<ImageRow | undefined> {
  return (
    await db<ImageRow>('images').where({ content_hash }).update({ created_at: now }).returning('*')
  )[0];
}

export async function findImage(db: Db, id: string): Promise<ImageRow | undefined> {
  return db<ImageRow>('images').where({ id }).first();
}

export async function insertImage(
  trx: Trx,
  image: ImageRow,
  files: readonly ImageFileRow[],
): Promise<void> {
  await trx<ImageRow>('images').insert(image);
  for (const file of files) await trx<ImageFileRow>('image_files').insert(file);
}

/** The file with that width, else the nearest smaller one, else the smallest. */
export async function findImageFile(
  db: Db,
  image_id: string,
  { width, format }: { width: number; format: ImageFileRow['format'] },
): Promise<Buffer | undefined> {
  const files = () => db<ImageFileRow>('image_files').where({ image_id, format });
  const row =
    (await files().where('width', '<=', width).orderBy('width', 'desc').first('content')) ??
    (await files().orderBy('width').first('content'));
  return row?.content;
}

/**
 * Makes these pictures count as new, so that they are not deleted, and locks their rows. Returns
 * true if all of them exist.
 */
export async function useImages(trx: Trx, ids: readonly string[], now: number): Promise<boolean> {
  const wanted = [...new Set(ids)].toSorted();
  return (
    (await trx<ImageRow>('images').whereIn('id', wanted).update({ created_at: now })) ===
    wanted.length
  );
}

/**
 * Deletes pictures older than this that are neither used by an event or a show nor the logo.
 * Returns their number.
 */
export async function purgeImages(trx: Trx, before: number, logo: string | null): Promise<number> {
  const shownIn = (table: 'events' | 'shows') =>
    trx(table)
      .select(trx.raw('1'))
      .whereRaw(
        ['event_ball_image', 'band_ball_image', 'banner_image']
          .map((picture) => `${table}.${picture} = '/media/' || images.id`)
          .join(' OR '),
      );
  const ids: string[] = await trx<ImageRow>('images')
    .where('created_at', '<', before)
    .whereNot('id', logo ?? '')
    .whereNotExists(shownIn('events'))
    .whereNotExists(shownIn('shows'))
    .orderBy('id')
    .limit(100)
    .forUpdate()
    .pluck('id');
  await trx('image_files').whereIn('image_id', ids).delete();
  return trx('images').whereIn('id', ids).delete();
}
