/** Sizes, shapes, formats and addresses of uploaded pictures. */

export const imageShapes = ['ball', 'banner'] as const;
export type ImageShape = (typeof imageShapes)[number];
export const imageFormats = ['avif', 'webp', 'jpg'] as const;
export type ImageFormat = (typeof imageFormats)[number];
/** Widths in pixels; no file is wider than the original. */
export const imageWidths = [160, 320, 640, 1280] as const;
/** The largest upload. */
export const imageBytesMax = 8_000_000;

/** The id in `/media/{id}`; null: not a picture of ours. */
export function imageIdOf(url: string | null): string | null {
  return /^\/media\/([\w-]{8,40})$/.exec(url ?? '')?.[1] ?? null;
}
