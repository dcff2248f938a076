/**
 * Recognises handheld barcode readers that act as a keyboard by their fast bursts of keys, ended
 * by Enter, by Tab or by silence.
 */
import { codeLength, readTicketCode } from '#server/domain/door/ticket-code.ts';

/**
 * A reader types a character every few ms, more slowly over a bad radio link; no person types
 * eight in a row this fast.
 */
const burstMs = 100;
/** A shorter burst was typed by a person. */
const shortest = 8;
/** The keys with which readers end a code. */
const endKeys = new Set(['Enter', 'Tab']);
/** Takes the place of a key after a silence, because some readers end a code without a key. */
export const silence = 'Silence';

interface KeyPress {
  key: string;
  /** The key's position on a keyboard, as KeyboardEvent.code names it. */ code?: string;
  at: number;
}

/**
 * Takes every key; returns the text when a burst is over, else null. Silence ends only a text as
 * long as a ticket's code.
 */
export function makeBurstReader(): (press: KeyPress) => string | null {
  let typed = '';
  let places = '';
  let last = -Infinity;
  return ({ key, code = '', at }) => {
    if (key !== silence && at - last > burstMs) typed = places = '';
    last = at;
    if (endKeys.has(key) || key === silence) {
      const burst = chooseLayout(typed, places);
      const isWhole = typed.length >= (key === silence ? codeLength : shortest);
      typed = places = '';
      return isWhole ? burst : null;
    }
    if (key.length === 1) {
      typed += key;
      places += placeOf(code);
    }
    return null;
  };
}

/**
 * A reader that is set to another keyboard layout than the phone types wrong letters with the
 * right keys: the layout that gives a ticket code is used.
 */
function chooseLayout(typed: string, places: string): string {
  return readTicketCode(typed) === null && readTicketCode(places) !== null ? places : typed;
}

/** The character of that key in the readers' factory layout, for the characters of a code. */
function placeOf(code: string): string {
  return (
    /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(code)?.[1] ??
    ({ Backslash: '\\', BracketRight: ']' } as Record<string, string>)[code] ??
    ''
  );
}

/**
 * Splits a code that a reader has typed from the person's text `before` it; null when the text
 * does not end in a ticket code.
 */
export function splitCode(text: string): { before: string; code: string } | null {
  const last = /\S+$/.exec(text)?.[0] ?? '';
  const code = [last, last.slice(-codeLength)].find((end) => readTicketCode(end) !== null);
  return code === undefined ? null : { before: text.slice(0, text.length - code.length), code };
}

/** Takes the keys of one field; true for the Enter or Tab with which a reader ends a code. */
export function makeReaderWatch(): (event: { key: string; nativeEvent: KeyboardEvent }) => boolean {
  const read = makeBurstReader();
  return ({ key, nativeEvent: { code, timeStamp } }) => read({ key, code, at: timeStamp }) !== null;
}

/**
 * Listens on the whole document until the returned function is called; keys typed into a text
 * field are left to it.
 */
export function listenToReader(onText: (text: string) => void): () => void {
  const read = makeBurstReader();
  let quiet: ReturnType<typeof setTimeout> | undefined;
  const listen = (event: KeyboardEvent) => {
    if (isWrittenIn(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    clearTimeout(quiet);
    const text = read({ key: event.key, code: event.code, at: event.timeStamp });
    if (text !== null) {
      // The reader's final key must neither press the focused button nor move the focus.
      event.preventDefault();
      onText(text);
      return;
    }
    quiet = setTimeout(() => {
      const unended = read({ key: silence, at: event.timeStamp });
      if (unended !== null) onText(unended);
    }, burstMs);
  };
  document.addEventListener('keydown', listen, { capture: true });
  return () => {
    clearTimeout(quiet);
    document.removeEventListener('keydown', listen, { capture: true });
  };
}

const tapped = /^(?:radio|checkbox|range|button|submit|reset|file|color|image)$/;

/** A radio button or a slider keeps the focus after a tap, but takes no text. */
function isWrittenIn(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !tapped.test(target.type);
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}
