/** Reads QR codes from a screen or a sheet, as a camera does. */
import type { Locator } from 'playwright';
import { decodeQR } from 'qr/decode.js';
import sharp from 'sharp';

export async function readQr(code: Locator): Promise<string> {
  const { data, info } = await sharp(await code.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data: new Uint8Array(data) });
}
