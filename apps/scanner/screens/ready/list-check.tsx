/** The check of the ticket list: complete and fresh, old, or still being downloaded. */
import { formatTime } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { sayCount } from '#apps/scanner/screens/words.ts';
import { listAge } from '#apps/scanner/screens/list-age.ts';
import { useStatus } from '#apps/scanner/screens/status.ts';
import { phone } from '#apps/scanner/scan/phone.ts';
import type { StoredEvent } from '#apps/scanner/kit/store.ts';
import { Check } from './check.tsx';

/** A younger list is fresh enough to open the doors. */
const freshMs = 10 * 60_000;

export function ListCheck({ event, now }: { event: StoredEvent | null; now: number }) {
  const { syncing, download } = useStatus();
  const isWhole = event !== null && event.generation > 0;
  const isFresh = isWhole && event.updated_at !== null && listAge(event, now) < freshMs;
  const wholeMark = isFresh ? 'good' : 'warn';
  const isOurs = event === null || download?.event_id === event.event_id;
  const share = download && isOurs ? download.share : null;
  return (
    <Check
      name="list"
      mark={isWhole ? wholeMark : 'wait'}
      title="Elenco dei biglietti"
      text={isWhole ? completeWords(event, now) : shareWords(share)}
      action={
        !isFresh && (
          <AsyncButton onClick={phone.syncNow} busy={syncing}>
            Aggiorna
          </AsyncButton>
        )
      }
    >
      {syncing && !isWhole && <progress aria-label="Scarico l’elenco" value={share ?? undefined} />}
    </Check>
  );
}

function completeWords({ tickets, places, updated_at }: StoredEvent, now: number): string {
  const sold = sayCount(tickets, 'biglietto', 'biglietti');
  const all = sayCount(places, 'posto', 'posti');
  return `Completo: ${sold} su ${all}, alle ${formatTime(updated_at ?? now)}`;
}

/** `share`: the downloaded part, 1 when complete; null when no download has begun. */
function shareWords(share: number | null): string {
  if (share === null) return 'Scarico l’elenco…';
  return share < 1 ? `Scarico l’elenco: ${Math.round(share * 100)} %` : 'Preparo l’elenco…';
}
