/** The connection to the server: without it the screens keep their data, say so, and recover. */
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { me } from '#server/contract/users.ts';
import { call } from '#apps/shared/api.ts';
import { formatTime } from '#apps/shared/format.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { isNetworkFailure } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';

/** Data stay this long after their screen, so that a list is still there on the way back. */
const keptMs = 60 * 60_000;
const askMs = 3_000;

/** By default queries pause without a connection, and data are dropped 2 s after their screen. */
export function keepDataOffline(client: QueryClient): void {
  const { queries } = client.getDefaultOptions();
  client.setDefaultOptions({
    queries: { ...queries, gcTime: keptMs, networkMode: 'always', refetchOnReconnect: 'always' },
  });
}

/** The time since which the server is unreachable; null: it answered last time. */
function useSilence(): number | null {
  const client = useQueryClient();
  const [since, setSince] = useState<number | null>(null);
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        if (event.action.type === 'success') setSince(null);
        else if (event.action.type === 'error' && isNetworkFailure(event.action.error))
          setSince((known) => known ?? Date.now());
      }),
    [client],
  );
  const isSilent = since !== null;
  useEffect(() => {
    if (!isSilent) return;
    const timer = setInterval(() => void knock(client), askMs);
    return () => clearInterval(timer);
  }, [isSilent, client]);
  return since;
}

/** Whether the server answers; a refusal is an answer, too. */
async function isLine(): Promise<boolean> {
  try {
    await call(me, {});
  } catch (error) {
    return !isNetworkFailure(error);
  }
  return true;
}

/** Refetches every open query once the server answers again. */
async function knock(client: QueryClient): Promise<void> {
  if (await isLine()) await client.invalidateQueries();
}

/** Reloads only if the server answers; else the browser would show its own error page. */
async function reloadOverLine(): Promise<void> {
  if (await isLine()) location.reload();
}

/** Shown if a screen's script could not be fetched: only a reload helps. */
export function ScreenNotLoaded() {
  const [isSilent, setIsSilent] = useState(false);
  useEffect(() => {
    let wasSilent = false;
    const look = async () => {
      const silent = !(await isLine());
      // If the server was reachable all the time, its script is missing and reloading would never
      // end.
      if (wasSilent && !silent) location.reload();
      wasSilent = silent;
      setIsSilent(silent);
    };
    void look();
    const timer = setInterval(() => void look(), askMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <ErrorView
      text="Questa pagina non si è potuta caricare."
      detail={
        isSilent
          ? 'Il server non si raggiunge: appena torna la linea si carica da sola.'
          : 'Forse il programma è stato aggiornato: riprova, e la pagina si ricarica.'
      }
      onRetry={reloadOverLine}
    />
  );
}

export function LineNotice() {
  const since = useSilence();
  return (
    <div role="status">
      {since !== null && (
        <Notice tone="warn" icon="offline">
          Senza linea dalle {formatTime(since)}: vedi quello che c’era. Appena torna, l’ufficio si
          aggiorna da solo.
        </Notice>
      )}
    </div>
  );
}
