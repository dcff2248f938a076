/**
 * Decodes uploaded pictures within limits and encodes them again with sharp, so that none of the
 * original bytes remain.
 */
import type sharpOf from 'sharp';
import type { Metadata, Sharp } from 'sharp';
import {
  imageFormats,
  imageWidths,
  type ImageFormat,
  type ImageShape,
} from '#server/domain/event/image.ts';

/** Loaded for the first picture: sharp takes 20 MB of memory, and most starts need none. */
let loaded: Promise<typeof sharpOf> | null = null;

export function loadSharp(): Promise<typeof sharpOf> {
  loaded ??= import('sharp').then((module) => restrained(module.default));
  return loaded;
}

/**
 * Allows only the formats of cameras and designers, not SVG, PDF or GIF, because each decoder may
 * have security holes.
 */
function restrained(sharp: typeof sharpOf): typeof sharpOf {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpeg',
      'VipsForeignLoadPng',
      'VipsForeignLoadWebp',
      'VipsForeignLoadHeif',
    ],
  });
  // Pictures use one core, so that the others serve buyers.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

const options = { limitInputPixels: 40_000_000, failOn: 'error', sequentialRead: false } as const;
const longestSeconds = 20;

/**
 * The square to cut out of the upright picture: `x` and `size` as shares of its width, `y` as a
 * share of its height.
 */
export interface Crop {
  x: number;
  y: number;
  size: number;
}
interface PictureFile {
  width: number;
  height: number;
  format: ImageFormat;
  content: Buffer;
}
export type PictureFault = 'unreadable' | 'too_large' | 'too_small';

/** The type by the first bytes, because the file's name and the browser's header may be wrong. */
function kindOf(file: Uint8Array): 'jpeg' | 'png' | 'webp' | 'heif' | null {
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, 16)).toString(
    'latin1',
  );
  if (head.startsWith('\u00ff\u00d8\u00ff')) return 'jpeg';
  if (head.startsWith('\u0089PNG\r\n\u001a\n')) return 'png';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'webp';
  return head.slice(4, 8) === 'ftyp' ? 'heif' : null;
}

/**
 * The picture upright, cut, in sRGB and without camera data, in every size and format for which
 * it is large enough; or the fault.
 */
export async function makePicture(
  file: Uint8Array,
  { shape, crop }: { shape: ImageShape | 'logo'; crop: Crop | null },
): Promise<PictureFile[] | PictureFault> {
  const kind = kindOf(file);
  if (kind === null) return 'unreadable';
  const sharp = await loadSharp();
  try {
    const metadata = await sharp(file, options).metadata();
    if (
      metadata.format !== kind ||
      (metadata.pages ?? 1) > 1 ||
      (kind === 'heif' && metadata.compression !== 'av1')
    )
      return 'unreadable';
    const box = boxOf(metadata, shape, crop);
    if (box.width < imageWidths[0] || box.height < 1) return 'too_small';
    // Decoded once for all sizes. Without keepIccProfile() the pixels are sRGB.
    const { data, info } = await sharp(file, options)
      .timeout({ seconds: longestSeconds })
      .autoOrient()
      .extract(box)
      .resize({ width: Math.min(box.width, Math.max(...imageWidths)), withoutEnlargement: true })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const files: PictureFile[] = [];
    for (const width of imageWidths.filter((candidate) => candidate <= info.width)) {
      for (const format of imageFormats) {
        const resized = sharp(data, {
          raw: { width: info.width, height: info.height, channels: info.channels },
        })
          .timeout({ seconds: longestSeconds })
          .resize({ width });
        const made = await encoded(resized, format).toBuffer({ resolveWithObject: true });
        files.push({ width, height: made.info.height, format, content: made.data });
      }
    }
    return files;
  } catch (error) {
    return /pixel limit/i.test(String(error)) ? 'too_large' : 'unreadable';
  }
}

/** A picture for a ticket printer; `data` has four bytes per dot. */
export interface LogoDots {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** The logo in dots: at most half as wide as the paper, each row a whole number of bytes. */
export async function logoDots(file: Uint8Array): Promise<LogoDots> {
  const sharp = await loadSharp();
  const fitted = await sharp(file, options)
    .resize({ width: 288, height: 160, fit: 'contain', background: '#ffffff' })
    .flatten({ background: '#ffffff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = fitted.info;
  return { data: new Uint8ClampedArray(fitted.data), width, height };
}

/** The rectangle to cut out of the upright picture, in pixels, always inside it. */
function boxOf(
  { autoOrient: { width, height } }: Metadata,
  shape: ImageShape | 'logo',
  crop: Crop | null,
): { left: number; top: number; width: number; height: number } {
  if (shape !== 'ball') return { left: 0, top: 0, width, height };
  const side = Math.min(width, height, Math.max(1, Math.round((crop?.size ?? 1) * width)));
  const start = (share: number | undefined, length: number) =>
    Math.max(
      0,
      Math.min(
        length - side,
        Math.round(share === undefined ? (length - side) / 2 : share * length),
      ),
    );
  return { left: start(crop?.x, width), top: start(crop?.y, height), width: side, height: side };
}

/**
 * Encodes with the quality at which each format looks alike; JPEG has no transparency, so its
 * background becomes white.
 */
function encoded(picture: Sharp, format: ImageFormat): Sharp {
  if (format === 'avif') return picture.avif({ quality: 55, effort: 3 });
  if (format === 'webp') return picture.webp({ quality: 78, effort: 4 });
  return picture.flatten({ background: '#ffffff' }).jpeg({ quality: 80, mozjpeg: true });
}
