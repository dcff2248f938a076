/**
 * Tries the camera and the decoder before doors open: asks for permission, and reads a code of
 * our own.
 */
import { requireValue } from '#server/domain/require-value.ts';
import { encodeQR } from 'qr';
import { CameraError, troubleOf } from './camera.ts';
import { decodeImage } from './decode.ts';

/** Throws a CameraError. */
export async function tryCamera(): Promise<void> {
  if (!navigator.mediaDevices?.getUserMedia)
    throw new CameraError(isSecureContext ? 'none' : 'insecure');
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: 'environment' },
    });
    for (const track of stream.getTracks()) track.stop();
  } catch (error) {
    throw new CameraError(troubleOf(error));
  }
}

const knownText = 'PROVA DI LETTURA';
const modulePx = 6;

/** Enough to find a broken engine and to wait for the next one to answer. */
const [mostTries, longestMs] = [5, 10_000];

/** Whether the decoder works on this phone. */
export async function tryDecoder(): Promise<boolean> {
  const picture = drawKnown();
  const end = performance.now() + longestMs;
  for (let tries = 0; tries < mostTries && performance.now() < end; tries += 1)
    if ((await decodeImage(picture).catch(() => null)) === knownText) return true;
  return false;
}

function drawKnown(): HTMLCanvasElement {
  const rows = encodeQR(knownText, 'raw', { ecc: 'medium', border: 4 });
  const side = rows.length * modulePx;
  const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side });
  const pen = requireValue(canvas.getContext('2d'), 'canvas');
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, side, side);
  pen.fillStyle = '#000';
  rows.forEach((row, y) =>
    row.forEach((isDark, x) => {
      if (isDark) pen.fillRect(x * modulePx, y * modulePx, modulePx, modulePx);
    }),
  );
  return canvas;
}
