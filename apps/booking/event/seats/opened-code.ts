/**
 * The code for reserved seats in this tab; each page load asks the server which seats it opens
 * (RULES S6).
 */
import { useCallback, useEffect, useState } from 'react';
import { call, CallError } from '#apps/shared/api.ts';
import { errorMessage } from '#apps/shared/error-message.ts';
import { keptText, parseKept } from '#apps/booking/shell/kept-text.ts';
import { openContingent } from '#server/contract/contingents.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { SeatSelection } from './selection.ts';

/** Use a new number if the shape changes. */
const kept = keptText('sessionStorage', 'botteghino.code.1');

interface KeptCode {
  event_id: string;
  code: string;
}

/** The code from the theatre's link, or the one typed in this tab. */
function codeAtHand(eventId: string): string | null {
  const linked = new URLSearchParams(location.search).get('code');
  if (linked !== null && linked.trim() !== '') return linked.trim().slice(0, 60);
  const known = parseKept(kept.read()) as Partial<KeptCode> | null;
  return known?.event_id === eventId && typeof known.code === 'string' ? known.code : null;
}

interface Answer {
  code: string;
  /** Null if the request failed. */
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
  /** Null: no code is open. */
  opened: ReplyOf<typeof openContingent> | null;
  /** The first answer is missing, so it is unknown which seats the chart may show. */
  waiting: boolean;
  fault: string | null;
  open: (code: string) => Promise<void>;
  close: () => void;
}

/** `takesCode`: some seats of the event need a code. */
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
      // A wrong code is forgotten; after a lost connection the code may still be right.
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
