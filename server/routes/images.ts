/** Pictures: the upload, and their files, which are no JSON and never change. */
import type { Context } from 'koa';
import { filterImage } from '#server/contract/images.ts';
import { imageFormats, type ImageFormat } from '#server/domain/image.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { serve, type House } from '#server/http/serve.ts';
import { pictureFile, takePicture } from '#server/services/event/images.ts';

const types: Record<ImageFormat, string> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
};

export function imageRoutes(house: House): void {
  serve(house, filterImage, ({ form, file }, { user }) =>
    takePicture(house.ctx, { ...form, file, actor: `user:${user.id}` }),
  );

  // The address names what it is for ever: a browser that has it need not ask again.
  house.router.get('/media/:imageId/:file', async (ctx: Context) => {
    await house.limits.count(ctx, 'read');
    const { imageId = '', file = '' } = (ctx as unknown as { params: Record<string, string> })
      .params;
    const [, width, format] = /^([1-9]\d{0,4})\.(\w{3,4})$/.exec(file) ?? [];
    const known = imageFormats.find((candidate) => candidate === format);
    if (!known || !/^[\w-]{8,40}$/.test(imageId)) throw new Refusal('not_found');
    const content = await pictureFile(house.ctx, imageId, { width: Number(width), format: known });
    if (!content) throw new Refusal('not_found');
    ctx.set('ETag', `"${imageId}-${width}-${known}"`);
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.set('Content-Disposition', 'inline');
    ctx.type = types[known];
    ctx.body = content;
    if (ctx.fresh) ctx.status = 304;
  });
}
