/** A timeout on top of an abort signal, for phones without AbortSignal.any. */

/** Aborts together with `signal`, or with a TimeoutError after `ms`. */
export function withTimeout(signal: AbortSignal, ms: number): AbortSignal {
  const both = new AbortController();
  const timer = setTimeout(
    () => both.abort(new DOMException('The operation timed out', 'TimeoutError')),
    ms,
  );
  const end = () => {
    clearTimeout(timer);
    both.abort(signal.reason);
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return both.signal;
}
