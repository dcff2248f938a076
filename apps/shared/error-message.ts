/** One Italian sentence for an error: the server's, or ours if there is no answer. */
import { CallError, networkError } from './api.ts';

/** `otherwise` is for exceptions in the page itself, which are in English. */
export function errorMessage(
  error: unknown,
  otherwise = 'Qualcosa è andato storto: ricarica la pagina.',
): string {
  if (!(error instanceof CallError)) return otherwise;
  // An online browser cannot tell whether the site is down or the connection broken.
  if (error.code === networkError)
    return navigator.onLine
      ? 'Il sito non risponde: controlla la connessione.'
      : 'Manca la connessione a Internet.';
  return error.status === 'unknown' ? 'Il sito non ha risposto come previsto.' : error.message;
}
