/**
 * Makes a film for Chromium's fake camera (`--use-file-for-fake-video-capture`), which tests the
 * real getUserMedia; the film repeats.
 */
import { writeFile } from 'node:fs/promises';
import { modulesOf } from './camera.ts';

/** One code, or nothing, and its duration. */
interface Scene {
  text: string | null;
  ms: number;
}
interface FilmSize {
  width: number;
  height: number;
  fps: number;
  /** Dark mode: light modules on a dark card. */ inverted: boolean;
}

const luma = { background: 90, card: 230, module: 20 };

/** Writes an uncompressed .y4m file, by default 640 × 480 at 10 frames a second. */
export async function makeFilm(
  path: string,
  scenes: readonly Scene[],
  size: Partial<FilmSize> = {},
): Promise<void> {
  const { width, height, fps, inverted } = {
    width: 640,
    height: 480,
    fps: 10,
    inverted: false,
    ...size,
  };
  const parts: Buffer[] = [
    Buffer.from(`YUV4MPEG2 W${width} H${height} F${fps}:1 Ip A1:1 C420jpeg\n`),
  ];
  for (const { text, ms } of scenes) {
    const frame = drawFrame(text, { width, height, inverted });
    for (let i = 0; i < Math.round((ms / 1000) * fps); i += 1)
      parts.push(Buffer.from('FRAME\n'), frame);
  }
  await writeFile(path, Buffer.concat(parts));
}

/** Luma plane, then two grey chroma planes of a quarter each. */
function drawFrame(
  text: string | null,
  { width, height, inverted }: { width: number; height: number; inverted: boolean },
): Buffer {
  const frame = Buffer.alloc(
    width * height + 2 * Math.ceil(width / 2) * Math.ceil(height / 2),
    128,
  );
  frame.fill(luma.background, 0, width * height);
  if (text === null) return frame;
  const rows = modulesOf(text);
  const module = Math.max(1, Math.floor((0.6 * height) / rows.length));
  const [left, top] = [
    Math.floor((width - module * rows.length) / 2),
    Math.floor((height - module * rows.length) / 2),
  ];
  rows.forEach((row, y) =>
    row.forEach((isDark, x) => {
      const value = isDark !== inverted ? luma.module : luma.card;
      for (let line = 0; line < module; line += 1) {
        const at = (top + y * module + line) * width + left + x * module;
        frame.fill(value, at, at + module);
      }
    }),
  );
  return frame;
}
