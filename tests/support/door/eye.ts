/**
 * The scanner's decoder in Node, for tests and measurements: the engine from its package, with
 * pictures from anywhere.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { startEngine } from '#apps/scanner/camera/engine.ts';
import type { Pixels } from '#apps/scanner/camera/grey.ts';

const require = createRequire(import.meta.url);

/** Call this once before the first picture. */
export async function openEye(): Promise<void> {
  await startEngine({
    wasmBinary: new Uint8Array(
      await readFile(require.resolve('zxing-wasm/reader/zxing_reader.wasm')),
    ).buffer,
  });
}

/** An image file in the form that a canvas returns; `width` scales it. */
export async function readPixels(file: Buffer, width?: number): Promise<Pixels> {
  const { data, info } = await sharp(file)
    .resize(width ? { width } : undefined)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: Uint8ClampedArray.from(data) };
}
