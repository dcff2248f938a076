/** A printed sheet for the holder of a contingent: the event, the code, and the address. */
import { formatCount, formatLongDate, formatListDate } from '#apps/shared/format.ts';
import { codeLink } from '#apps/admin/kit/code-link.ts';
import type { Hall } from '#apps/admin/seats/seats.ts';
import type { Contingent } from './use-contingents.ts';

export function CodeSheet({ contingent, event }: { contingent: Contingent; event: Hall['event'] }) {
  const { name, code, release_at, places, sold } = contingent;
  return (
    <>
      <h1>{name}</h1>
      <p>
        {event.title}, {formatLongDate(event.starts_at)}, {event.venue_title}
      </p>
      <h2>Codice: {code}</h2>
      <p>
        Apri {codeLink(event, code ?? '')} oppure la pagina dello spettacolo, e scrivi il codice
        sotto «Hai un codice?».
      </p>
      <p>
        {formatCount(places - sold, 'posto riservato', 'posti riservati')}
        {release_at !== null && `, fino al ${formatListDate(release_at)}`}.
      </p>
    </>
  );
}
