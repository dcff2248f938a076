/**
 * Converts a JPEG, PNG or WebP, or a page of a PDF, to a picture small enough to be stored in a
 * drawing.
 */
import { requireValue } from '#server/domain/require-value.ts';
import { UnreadablePicture } from './picture-fault.ts';

/**
 * Limits, because drawings are sent as a whole: the longer side in pixels, and the length of the
 * picture's address.
 */
const LONGEST = 2400;
const MOST_LETTERS = 3_000_000;
const MOST_BYTES = 60_000_000;

export interface TracedPicture {
  href: string;
  width: number;
  height: number;
}

/** The kind of file by its first bytes, not by its name; an SVG cannot be traced. */
async function kindOf(file: Blob): Promise<'image' | 'pdf' | null> {
  if (file.size > MOST_BYTES) throw new UnreadablePicture('too-large');
  const bytes = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  const start = String.fromCodePoint(...bytes);
  if (start.startsWith('%PDF')) return 'pdf';
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8;
  const isPng = start.startsWith('\u0089PNG');
  const isWebp = start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP';
  return isJpeg || isPng || isWebp ? 'image' : null;
}

/** Redrawn, so that other data in the file, such as where a photo was taken, are dropped. */
function pictureOf(source: CanvasImageSource, width: number, height: number): TracedPicture {
  let scale = Math.min(1, LONGEST / Math.max(width, height));
  for (let quality = 0.85; quality > 0.2; quality -= 0.15) {
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    const pen = requireValue(canvas.getContext('2d'), 'canvas');
    pen.fillStyle = '#ffffff';
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(source, 0, 0, canvas.width, canvas.height);
    const href = canvas.toDataURL('image/jpeg', quality);
    if (href.length <= MOST_LETTERS) return { href, width: canvas.width, height: canvas.height };
    scale *= 0.75;
  }
  throw new UnreadablePicture('too-large');
}

async function readImage(file: Blob): Promise<TracedPicture> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    throw new UnreadablePicture('not-a-picture');
  }
  try {
    return pictureOf(bitmap, bitmap.width, bitmap.height);
  } finally {
    bitmap.close();
  }
}

export interface OpenPdf {
  pages: number;
  draw: (page: number) => Promise<TracedPicture>;
  close: () => void;
}

/** Opens a picture immediately; for a PDF a person first chooses the page. */
export async function openPicture(
  file: Blob,
): Promise<{ picture: TracedPicture } | { pdf: OpenPdf }> {
  const kind = await kindOf(file);
  if (kind === 'image') return { picture: await readImage(file) };
  if (kind === null) throw new UnreadablePicture('not-a-picture');
  const { openPdf } = await import('./pdf-pages.ts');
  const pdf = await openPdf(new Uint8Array(await file.arrayBuffer()), LONGEST);
  return {
    pdf: {
      pages: pdf.pages,
      draw: async (page) => {
        const canvas = await pdf.draw(page);
        return pictureOf(canvas, canvas.width, canvas.height);
      },
      close: pdf.close,
    },
  };
}
