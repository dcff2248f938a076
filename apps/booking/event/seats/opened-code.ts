/**
 * The code for reserved seats that was typed in this tab; what it opens on the chart is asked
 * again whenever the page is loaded (RULES S6).
 */
import { useCallback, useEffect, useState } from 'react';
import { call, CallError } from '#apps/shared/api.ts';
import { errorMessage } from '#apps/shared/error-message.ts';
import { keptText, parseKept } from '#apps/booking/shell/kept-text.ts';
import { openContingent } from '#server/contract/contingents.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { SeatSelection } from './selection.ts';

/** Version 1: a change of shape gets a new key. */
const kept = keptText('sessionStorage', 'botteghino.code.1');

interface KeptCode {
  event_id: string;
  code: string;
}

/** From the link that the theatre gave away, or typed in this tab. */
function codeAtHand(eventId: string): string | null {
  const linked = new URLSearchParams(location.search).get('code');
  if (linked !== null && linked.trim() !== '') return linked.trim().slice(0, 60);
  const known = parseKept(kept.read()) as Partial<KeptCode> | null;
  return known?.event_id === eventId && typeof known.code === 'string' ? known.code : null;
}

interface Answer {
  code: string;
  /** Null when the code was not asked about yet. */
  found: ReplyOf<typeof openContingent> | null;
  error: unknown;
}

async function askFor(eventId: string, code: string): Promise<Answer> {
  try {
    const found = await call(openContingent, { params: { eventId }, body: { code } });
    return { code, found, error: null };
  } catch (error) {
    return { code, found: null, error };
  }
}

export interface OpenedCode {
  /** Null when nothing is open. */
  opened: ReplyOf<typeof openContingent> | null;
  /** The first answer is not there yet, so it is unknown what the chart may show. */
  waiting: boolean;
  fault: string | null;
  open: (code: string) => Promise<void>;
  close: () => void;
}

/** `takesCode`: the event has seats that a code opens. */
export function useOpenedCode(
  eventId: string,
  takesCode: boolean,
  selection: SeatSelection,
): OpenedCode {
  const [first] = useState(() => codeAtHand(eventId));
  const [opened, setOpened] = useState<OpenedCode['opened']>(null);
  const [waiting, setWaiting] = useState(takesCode && first !== null);
  const [fault, setFault] = useState(
    !takesCode && first !== null
      ? 'Il tuo codice non serve più: puoi scegliere tra tutti i posti liberi.'
      : null,
  );

  const keep = useCallback(
    (code: string | null) => {
      selection.contingent_code = code ?? undefined;
      kept.write(code === null ? null : JSON.stringify({ event_id: eventId, code }));
    },
    [eventId, selection],
  );
  const take = useCallback(
    ({ code, found, error }: Answer) => {
      if (found !== null) keep(code);
      // A wrong code is not asked about again; a cut line says nothing about the code.
      else if (error instanceof CallError && error.code === 'code_unknown') keep(null);
      if (found !== null) setOpened(found);
      setFault(
        found === null
          ? errorMessage(error, 'Non riusciamo a controllare il codice: riprova.')
          : null,
      );
      setWaiting(false);
    },
    [keep],
  );
  useEffect(() => {
    if (takesCode && first !== null) void askFor(eventId, first).then(take);
  }, [eventId, first, take, takesCode]);
  const open = async (code: string) => take(await askFor(eventId, code));
  const close = () => {
    keep(null);
    setOpened(null);
    setFault(null);
  };
  return { opened, waiting, fault, open, close };
}
