/** Lets what no visitor waits for begin only after the page's chart is drawn. */

/** A chart that does not come is waited for this long. */
const longestMs = 10_000;
let drawing: Promise<void> = Promise.resolve();

/** Call this before a chart is drawn, and what it returns afterwards. */
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
