/** Pictures: uploads, and the files, which never change. */
import * as images from '#server/contract/images.ts';
import { imageFormats, type ImageFormat } from '#server/domain/event/image.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Routing } from '#server/http/serve.ts';
import { pictureFile, takePicture } from '#server/services/event/images.ts';

const types: Record<ImageFormat, string> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
};

export function imageRoutes({ serve, router, ctx, limits }: Routing): void {
  serve(images.filterImage, ({ form, file }, { actor }) =>
    takePicture(ctx, { ...form, file, actor }),
  );

  // The file at an address never changes, so a browser need not ask again.
  router.get('/media/:imageId/:file', async (http) => {
    await limits.count(http, 'read');
    const { imageId = '', file = '' } = http.params;
    const [, width, format] = /^([1-9]\d{0,4})\.(\w{3,4})$/.exec(file) ?? [];
    const known = imageFormats.find((candidate) => candidate === format);
    if (!known || !/^[\w-]{8,40}$/.test(imageId)) throw new Refusal('not_found');
    const content = await pictureFile(ctx, imageId, { width: Number(width), format: known });
    if (!content) throw new Refusal('not_found');
    http.set('ETag', `"${imageId}-${width}-${known}"`);
    http.set('Cache-Control', 'public, max-age=31536000, immutable');
    http.set('Content-Disposition', 'inline');
    http.type = types[known];
    http.body = content;
    if (http.fresh) http.status = 304;
  });
}
