/** Handheld readers that type like a keyboard: a burst of keys ended by Enter, wherever the focus is. */

/** A reader types a character every few ms, a person never this fast. */
const burstMs = 50;
/** Shorter bursts are keys of a person, not a code. */
const shortest = 8;

export interface KeyPress { key: string; at: number }

/** Pure: feed it every key, it gives the text when a burst ends with Enter, else null. */
export function makeBurstReader(): (press: KeyPress) => string | null {
  let text = '';
  let last = -Infinity;
  return ({ key, at }) => {
    if (at - last > burstMs) text = '';
    last = at;
    if (key === 'Enter') {
      const burst = text;
      text = '';
      return burst.length >= shortest ? burst : null;
    }
    if (key.length === 1) text += key;
    return null;
  };
}

/** Listens on the whole document until the returned function is called; a field in use keeps its keys. */
export function listenToReader(onText: (text: string) => void): () => void {
  const read = makeBurstReader();
  const listen = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const text = read({ key: event.key, at: event.timeStamp });
    if (text === null) return;
    event.preventDefault();
    onText(text);
  };
  document.addEventListener('keydown', listen, { capture: true });
  return () => document.removeEventListener('keydown', listen, { capture: true });
}
