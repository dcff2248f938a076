/**
 * A scripted camera for browser tests: it replaces getUserMedia and shows any QR code at any
 * moment, without files.
 */
import { encodeQR } from 'qr';
import type { BrowserContext, Page } from 'playwright';

/** The functions that the script offers to the tests in the page. */
interface CameraWindow {
  cameraShows(rows: boolean[][] | null): number;
  /** The name of the DOMException with which getUserMedia fails; null: it works. */
  cameraError: string | null;
  /** The height of the code as a share of the picture's height. */
  cameraFraction: number;
  /** The address of a whole picture shown instead; null: the code again. */
  cameraShowsPicture(address: string | null): Promise<void>;
  /** The last constraints for getUserMedia, and the settings of the lens. */
  cameraAsked: MediaStreamConstraints | undefined;
  cameraLens: Record<string, unknown>;
  /** A finger on the lens, or a picture that does not move; null: neither. */
  cameraSight: 'covered' | 'frozen' | null;
  /** The system takes the camera away. */
  cameraGoes(): void;
}

/** Runs in the page before its own scripts, so it must not use any outer variable. */
function standInForCamera() {
  const page = window as unknown as CameraWindow;
  const [width, height] = [1280, 720];
  /**
   * An empty room is a small picture, because the app reads it all the time and the cost grows
   * with the pixels.
   */
  const empty = { width: width / 4, height: height / 4 };
  const canvas = Object.assign(document.createElement('canvas'), empty);
  const pen = canvas.getContext('2d')!;
  let shown: boolean[][] | null = null;
  let picture: HTMLImageElement | null = null;
  let ticks = 0;
  const paint = () => {
    const size = shown || picture ? { width, height } : empty;
    if (canvas.width !== size.width) Object.assign(canvas, size);
    pen.fillStyle = '#5a5a5a';
    pen.fillRect(0, 0, width, height);
    // A wall and a lamp that flickers: no lens shows one colour, or twice the same picture.
    pen.fillStyle = '#3a3a3a';
    pen.fillRect(0, 0, canvas.width / 8, canvas.height);
    pen.fillStyle = ticks % 12 < 6 ? '#707070' : '#727272';
    pen.fillRect(0, 0, canvas.width / 16, canvas.height / 16);
    if (page.cameraSight === 'covered') pen.fillStyle = '#0a0808';
    if (page.cameraSight === 'covered') pen.fillRect(0, 0, width, height);
    if (picture) pen.drawImage(picture, 0, 0, width, height);
    if (!shown || picture) return;
    const count = shown.length;
    const module = Math.max(1, Math.floor((page.cameraFraction * height) / count));
    const [left, top] = [(width - module * count) / 2, (height - module * count) / 2];
    pen.fillStyle = '#eeeeee';
    pen.fillRect(left, top, module * count, module * count);
    pen.fillStyle = '#111111';
    shown.forEach((row, y) =>
      row.forEach((isDark, x) => {
        if (isDark) pen.fillRect(left + x * module, top + y * module, module, module);
      }),
    );
  };
  // A canvas stream delivers a picture only after something was painted. An empty room is painted
  // less often, because decoding each picture of it takes time.
  setInterval(() => {
    if (page.cameraSight === 'frozen') return paint();
    ticks += 1;
    if (shown || picture || ticks % 6 === 0) paint();
  }, 33);
  page.cameraError = null;
  page.cameraSight = null;
  page.cameraFraction = 0.5;
  page.cameraShows = (rows) => {
    shown = rows;
    paint();
    return performance.now();
  };
  page.cameraShowsPicture = async (address) => {
    const next = address === null ? null : Object.assign(new Image(), { src: address });
    await next?.decode();
    picture = next;
    paint();
  };
  page.cameraLens = {};
  // Pages without a secure context, such as about:blank, have no cameras at all.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!devices) return;
  const cameras = [
    ['front', 'camera2 1, facing front'],
    ['scripted', 'camera2 0, facing back'],
  ].map(([deviceId, label]) => ({
    kind: 'videoinput' as const,
    deviceId: deviceId!,
    groupId: '',
    label: label!,
    toJSON: () => ({}),
  }));
  devices.getUserMedia = async (asked) => {
    if (page.cameraError !== null) throw new DOMException('The test says so', page.cameraError);
    page.cameraAsked = asked;
    const wanted = (
      (asked?.video as MediaTrackConstraints | undefined)?.deviceId as
        | { exact?: string }
        | undefined
    )?.exact;
    if (wanted !== undefined && !cameras.some(({ deviceId }) => deviceId === wanted))
      throw new DOMException('No such camera', 'OverconstrainedError');
    const stream = canvas.captureStream(30);
    const track = stream.getVideoTracks()[0]!;
    // A canvas has no lens, so the functions of a phone's camera are added.
    Object.assign(track, {
      getCapabilities: () => ({
        torch: true,
        zoom: { min: 1, max: 5, step: 0.5 },
        focusMode: ['manual', 'continuous'],
      }),
      getSettings: () => ({ deviceId: wanted ?? 'scripted', width, height, zoom: 1 }),
      applyConstraints: async ({ advanced = [] }: MediaTrackConstraints) => {
        page.cameraLens = { ...advanced[0] };
      },
    });
    page.cameraGoes = () => {
      track.stop();
      track.dispatchEvent(new Event('ended'));
    };
    return stream;
  };
  devices.enumerateDevices = async () => cameras;
}

/** The argument for `context.addInitScript`. */
const cameraScript = `(${standInForCamera.toString()})()`;

/** Every page of the context gets the scripted camera. */
export async function addCamera(context: BrowserContext): Promise<void> {
  await context.addInitScript(cameraScript);
}

/**
 * The modules of a QR code with its quiet zone; ticket codes are in alphanumeric mode, as on
 * tickets.
 */
export function modulesOf(text: string): boolean[][] {
  const encoding = /^[0-9A-Z $%*+\-./:]+$/.test(text) ? 'alphanumeric' : 'byte';
  return encodeQR(text, 'raw', { ecc: 'medium', border: 4, encoding });
}

/** The modules of a QR code without its quiet zone. */
export function withoutQuiet(rows: boolean[][]): boolean[][] {
  return rows.slice(4, -4).map((row) => row.slice(4, -4));
}

/**
 * Shows a code to the camera until something else is shown; returns the page's performance.now().
 */
export function show(page: Page, text: string): Promise<number> {
  return page.evaluate(
    (rows) => (window as unknown as CameraWindow).cameraShows(rows),
    modulesOf(text),
  );
}

/** Nothing in front of the camera. */
export function hide(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as CameraWindow).cameraShows(null));
}

/**
 * Holds a picture in front of the camera, given as the bytes of a JPEG file; null: an empty room
 * again.
 */
export function showPicture(page: Page, jpeg: Buffer | null): Promise<void> {
  return page.evaluate(
    (address) => (window as unknown as CameraWindow).cameraShowsPicture(address),
    jpeg && `data:image/jpeg;base64,${jpeg.toString('base64')}`,
  );
}

/** The constraints of the last getUserMedia, and what the lens was told last. */
export function readCamera(
  page: Page,
): Promise<{ asked: MediaTrackConstraints; lens: Record<string, unknown> }> {
  return page.evaluate(() => {
    const { cameraAsked, cameraLens } = window as unknown as CameraWindow;
    return { asked: cameraAsked?.video as MediaTrackConstraints, lens: cameraLens };
  });
}

/** Another app takes the camera. */
export function takeCamera(page: Page): Promise<void> {
  return page.evaluate(() => (window as unknown as CameraWindow).cameraGoes());
}

/** Sets the share of the picture's height that a code takes from now on; 0.5 by default. */
export function setCodeHeight(page: Page, fraction: number): Promise<void> {
  return page.evaluate((part) => {
    (window as unknown as CameraWindow).cameraFraction = part;
  }, fraction);
}

/** From the next start the camera fails with this DOMException name, or works again with null. */
export function breakCamera(page: Page, error: string | null): Promise<void> {
  return page.evaluate((name) => {
    (window as unknown as CameraWindow).cameraError = name;
  }, error);
}

/** From now on the lens is covered, or its picture stands still; null: neither. */
export function blindCamera(page: Page, sight: 'covered' | 'frozen' | null): Promise<void> {
  return page.evaluate((what) => {
    (window as unknown as CameraWindow).cameraSight = what;
  }, sight);
}
