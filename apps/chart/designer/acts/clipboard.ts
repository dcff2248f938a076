/** The last copied clip, shared by all charts that are opened in this browser. */
import { readClip, type Clip } from '#server/drawing/edit/clip.ts';

const key = 'chart-designer-clip';
/** Used where the browser stores nothing, or the clip is too large for it. */
let own: Clip | null = null;

export function putClip(clip: Clip): void {
  own = clip;
  try {
    localStorage.setItem(key, JSON.stringify(clip));
  } catch {
    try {
      localStorage.removeItem(key);
    } catch {
      // The browser stores nothing here.
    }
  }
}

export function takeClip(): Clip | null {
  try {
    const text = localStorage.getItem(key);
    return text === null ? own : (readClip(JSON.parse(text)) ?? own);
  } catch {
    return own;
  }
}
