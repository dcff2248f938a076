/** Reads a provider's clock from the `Date` header that web servers send with every answer. */

const patienceMs = 5_000;

/** How many ms our clock is ahead of theirs, accurate to a second; null without an answer. */
export async function clockAhead(url: string, now: () => number): Promise<number | null> {
  try {
    const asked = now();
    const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(patienceMs) });
    const theirs = Date.parse(answer.headers.get('date') ?? '');
    // The header has whole seconds, so on average it is half a second late.
    return Number.isNaN(theirs) ? null : (asked + now()) / 2 - (theirs + 500);
  } catch {
    return null;
  }
}
