/** What went wrong, in one Italian sentence: the server's own, or ours without an answer. */
import { CallError, networkError } from './api.ts';

/** `otherwise` is said of a mistake of the page itself, whose exception speaks English. */
export function errorMessage(
  error: unknown,
  otherwise = 'Qualcosa è andato storto: ricarica la pagina.',
): string {
  if (!(error instanceof CallError)) return otherwise;
  // With a line the browser cannot tell a site that is down from a path that is broken.
  if (error.code === networkError)
    return navigator.onLine
      ? 'Il sito non risponde: controlla la connessione.'
      : 'Manca la connessione a Internet.';
  return error.status === 'unknown' ? 'Il sito non ha risposto come previsto.' : error.message;
}
