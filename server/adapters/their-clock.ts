/** Asks a provider what time it is: every answer of a web server says so in its `Date`. */

const patienceMs = 5_000;

/** By how many milliseconds our clock is ahead of theirs, to about a second; null: no answer. */
export async function clockAhead(url: string, now: () => number): Promise<number | null> {
  try {
    const asked = now();
    const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(patienceMs) });
    const theirs = Date.parse(answer.headers.get('date') ?? '');
    // The header has whole seconds, so on average it is half a second old.
    return Number.isNaN(theirs) ? null : (asked + now()) / 2 - (theirs + 500);
  } catch {
    return null;
  }
}
