/** A scripted camera for browser tests: stands in for getUserMedia and shows any QR code at any moment, without files. */
import { encodeQR } from 'qr';
import type { BrowserContext, Page } from 'playwright';

/** What the page offers to the tests once the script runs. */
interface CameraWindow {
  cameraShows(rows: boolean[][] | null): number;
  /** Name of the DOMException that getUserMedia shall answer with; null: it works. */
  cameraError: string | null;
  /** Height of the code as a part of the picture's height. */
  cameraFraction: number;
}

/** Runs in the page before its own scripts; it must name nothing from outside. */
function standInForCamera() {
  const page = window as unknown as CameraWindow;
  const [width, height] = [1280, 720];
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const pen = canvas.getContext('2d')!;
  let shown: boolean[][] | null = null;
  const paint = () => {
    pen.fillStyle = '#5a5a5a';
    pen.fillRect(0, 0, width, height);
    if (!shown) return;
    const size = shown.length;
    const module = Math.max(1, Math.floor((page.cameraFraction * height) / size));
    const [left, top] = [(width - module * size) / 2, (height - module * size) / 2];
    pen.fillStyle = '#eeeeee';
    pen.fillRect(left, top, module * size, module * size);
    pen.fillStyle = '#111111';
    shown.forEach((row, y) => row.forEach((isDark, x) => {
      if (isDark) pen.fillRect(left + x * module, top + y * module, module, module);
    }));
  };
  // A canvas stream delivers a picture only when something was painted.
  setInterval(paint, 33);
  page.cameraError = null;
  page.cameraFraction = 0.5;
  page.cameraShows = (rows) => {
    shown = rows;
    paint();
    return performance.now();
  };
  // Pages that are not secure, about:blank among them, have no cameras at all.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!devices) return;
  devices.getUserMedia = async () => {
    if (page.cameraError !== null) throw new DOMException('The test says so', page.cameraError);
    return canvas.captureStream(30);
  };
  const camera = { kind: 'videoinput' as const, deviceId: 'scripted', groupId: '', label: 'Scripted back camera', toJSON: () => ({}) };
  devices.enumerateDevices = async () => [camera];
}

/** For `context.addInitScript`. */
export const cameraScript = `(${standInForCamera.toString()})()`;

/** Every page of the context gets the scripted camera. */
export async function addCamera(context: BrowserContext): Promise<void> {
  await context.addInitScript(cameraScript);
}

/** The modules of a QR code with its quiet zone; ticket codes in alphanumeric mode as on the tickets. */
export function modulesOf(text: string): boolean[][] {
  const encoding = /^[0-9A-Z $%*+\-./:]+$/.test(text) ? 'alphanumeric' : 'byte';
  return encodeQR(text, 'raw', { ecc: 'medium', border: 4, encoding });
}

/** Holds a code in front of the camera until something else is shown; gives back the page's performance.now(). */
export function show(page: Page, text: string): Promise<number> {
  return page.evaluate((rows) => (window as unknown as CameraWindow).cameraShows(rows), modulesOf(text));
}

/** Nothing in front of the camera. */
export function hide(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as CameraWindow).cameraShows(null));
}

/** From the next start on the camera fails with this DOMException name, or works again with null. */
export function breakCamera(page: Page, error: string | null): Promise<void> {
  return page.evaluate((name) => {
    (window as unknown as CameraWindow).cameraError = name;
  }, error);
}
