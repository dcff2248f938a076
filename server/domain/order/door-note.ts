/** The office's short text about a guest, shown at the door with the verdict. */
export const doorNoteLength = 80;

/** On one line; null: nothing is left of it. */
export function readDoorNote(text: string): string | null {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line === '' ? null : line;
}
