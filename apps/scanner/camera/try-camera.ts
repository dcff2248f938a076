/**
 * Tries the camera and the decoder before doors open: asks for permission, looks at the picture,
 * and reads a code of our own.
 */
import { requireValue } from '#server/domain/require-value.ts';
import { encodeQR } from 'qr';
import { CameraError, troubleOf } from './camera.ts';
import { recallCamera } from './cameras.ts';
import { sightOf, type Sight } from './sight.ts';
import { decodeImage } from './decode.ts';

/** A camera may begin with black pictures until it has found the light. */
const lookMs = 3_000;
const pauseMs = 150;

/**
 * Looks at some pictures of the camera that scans.
 * @throws CameraError
 */
export async function tryCamera(): Promise<Sight> {
  if (!navigator.mediaDevices?.getUserMedia)
    throw new CameraError(isSecureContext ? 'none' : 'insecure');
  try {
    const stream = await openChosen();
    try {
      return await look(stream);
    } finally {
      for (const track of stream.getTracks()) track.stop();
    }
  } catch (error) {
    throw new CameraError(troubleOf(error));
  }
}

/** The camera that was chosen on this phone, or the back camera. */
async function openChosen(): Promise<MediaStream> {
  const chosen = recallCamera();
  const back = { video: { facingMode: 'environment' } };
  if (chosen === null) return navigator.mediaDevices.getUserMedia(back);
  try {
    return await navigator.mediaDevices.getUserMedia({ video: { deviceId: { exact: chosen } } });
  } catch (error) {
    // Ids change when a browser forgets its permissions.
    if (troubleOf(error) !== 'none') throw error;
    return navigator.mediaDevices.getUserMedia(back);
  }
}

/** Ends as soon as one picture shows something. */
async function look(stream: MediaStream): Promise<Sight> {
  const video = Object.assign(document.createElement('video'), {
    muted: true,
    playsInline: true,
    srcObject: stream,
    className: 'visually-hidden',
  });
  // Safari paints no pictures of a video outside of the page.
  document.body.append(video);
  try {
    void video.play().catch(() => {});
    const pictures: ImageData[] = [];
    const end = performance.now() + lookMs;
    let sight: Sight = 'covered';
    while (sight !== 'sees' && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) continue;
      pictures.splice(0, pictures.length - 1);
      pictures.push(pictureOf(video));
      sight = sightOf(pictures);
    }
    return sight;
  } finally {
    video.remove();
  }
}

function pictureOf(video: HTMLVideoElement): ImageData {
  const size = { width: video.videoWidth, height: video.videoHeight };
  const canvas = Object.assign(document.createElement('canvas'), size);
  const pen = requireValue(canvas.getContext('2d', { willReadFrequently: true }), 'canvas');
  pen.drawImage(video, 0, 0);
  return pen.getImageData(0, 0, size.width, size.height);
}

/** What is wrong with what the camera sees, and what the person can do. */
export const sightWords: Record<Exclude<Sight, 'sees'>, string> = {
  covered:
    'Non vede niente: l’obiettivo è coperto o è troppo buio. Scoprilo, inquadra qualcosa e riprova.',
  frozen:
    'L’immagine è ferma: chiudi le altre app che usano la fotocamera, o riavvia il telefono, e riprova.',
};

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
