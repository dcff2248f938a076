/** Pictures on the wire: the upload of every picture, and the addresses of its files. */
import * as v from 'valibot';
import { imageShapes } from '#server/domain/event/image.ts';
import { endpoint } from './endpoint.ts';

/** A share of the picture's width or height, as text in a form. */
const share = v.pipe(
  v.string(),
  v.regex(/^(0(\.\d{1,12})?|1(\.0{1,12})?)$/),
  v.transform(Number),
  v.number(),
);

/**
 * Multipart: `file` (JPEG, PNG, WebP or AVIF, at most 8 MB and 40 megapixels, not moving) and the
 * fields below; header `X-Requested-With` with any value, which a page of another site cannot
 * send. `ball`: the square from (x, y) whose side is `size`, x and size as shares of the width, y
 * as share of the height, after the picture was turned upright; missing: the middle. `banner`:
 * the whole picture. Refusals: 413 body_too_large, 422 image_unreadable (not a picture, damaged,
 * SVG, moving), 422 image_too_large (pixels), 422 image_too_small (under 160). The stored files
 * are `/media/{id}/{width}.{avif|webp|jpg}` with width 160, 320, 640 or 1280; for a missing width
 * the answer is the nearest smaller one, or the smallest.
 */
export const filterImage = endpoint('POST', '/api/admin/events/ball_image_filter', {
  who: 'edit_events',
  limit: 'upload',
  refusals: ['image_unreadable', 'image_too_large', 'image_too_small'],
  summary: 'Upload a picture: cropped, freed of what a camera adds, made in sizes',
  form: v.object({
    shape: v.picklist(imageShapes),
    x: v.optional(share),
    y: v.optional(share),
    size: v.optional(share),
  }),
  /** `url` is the event's picture: `/media/{id}`. Width and height of the largest file. */
  reply: v.object({ url: v.string(), width: v.number(), height: v.number() }),
});
