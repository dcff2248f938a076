/** Delays work that no visitor waits for until the page's chart is drawn. */

/** The longest wait for a chart. */
const longestMs = 10_000;
let drawing: Promise<void> = Promise.resolve();

/** Call it before a chart is drawn, and the returned function afterwards. */
export function awaitChart(): () => void {
  let drawn = () => {};
  drawing = new Promise((resolve) => {
    drawn = resolve;
    setTimeout(resolve, longestMs);
  });
  return () => drawn();
}

export function whenCalm(): Promise<void> {
  return drawing;
}
