/**
 * Revisions that a restored house skips, because the house may have issued them after the backup
 * was made: their tickets are out, but not in this database (RULES B3).
 */

/**
 * How many revisions of one place a house issues at most between a backup and its loss: some sales
 * and refunds, new holders, a move.
 */
export const mostLost = 8;

/** From the first to the last lost revision. */
export type LostSpan = [first: number, last: number];

/** Reads the column's text, such as `4-11,20-27`. */
export function readLost(text: string | null): LostSpan[] {
  if (text === null || text === '') return [];
  return text.split(',').map((span): LostSpan => {
    const [first = 0, last = 0] = span.split('-').map(Number);
    return [first, last];
  });
}

export function spellLost(spans: readonly LostSpan[]): string | null {
  return spans.length === 0 ? null : spans.map((span) => span.join('-')).join(',');
}

export function isLost(spans: readonly LostSpan[], revision: number): boolean {
  return spans.some(([first, last]) => first <= revision && revision <= last);
}

/**
 * The spans once the ticket of a lost revision is known again: it has replaced those that were
 * issued before it in the same time.
 */
export function lostAfter(spans: readonly LostSpan[], revision: number): LostSpan[] {
  return spans.flatMap(([first, last]): LostSpan[] => {
    if (revision < first || revision > last) return [[first, last]];
    return revision === last ? [] : [[revision + 1, last]];
  });
}

/** The lost revisions that a phone takes for old ones unless it is told. */
export function lostBefore(spans: readonly LostSpan[], issued: number): LostSpan[] {
  return spans.flatMap(([first, last]): LostSpan[] =>
    first < issued ? [[first, Math.min(last, issued - 1)]] : [],
  );
}
