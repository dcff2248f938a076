/** The file from which a new chart is drawn, kept here until its designer opens. */
let waiting: { key: string; file: File } | null = null;

export function keepWaitingFile(key: string, file: File): void {
  waiting = { key, file };
}

/** Returns the file only once, so that a designer that is opened again does not import again. */
export function takeWaitingFile(key: string): File | null {
  if (waiting?.key !== key) return null;
  const { file } = waiting;
  waiting = null;
  return file;
}
