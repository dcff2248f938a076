/** Asks the server what a visitor's codes open, each time the page is loaded (RULES S6, P7). */
import { useEffect, useRef, useState } from 'react';
import { call } from '#apps/shared/api.ts';
import { errorMessage } from '#apps/shared/error-message.ts';
import { isSettled } from '#apps/shared/query.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { openContingent } from '#server/contract/contingents.ts';
import { spellCode } from '#server/domain/seat/contingent.ts';
import { codesAtHand, keepCodes, mostCodes } from './codes-at-hand.ts';
import type { OpenedCode, SeatSelection, SelectionState } from './selection.ts';

const unneeded = 'Il tuo codice non serve più: puoi scegliere tra tutti i posti liberi.';
const unasked = 'Non riusciamo a controllare il codice: riprova.';

interface About {
  page: EventReply;
  selection: SeatSelection;
  state: Pick<SelectionState, 'codes' | 'convention'>;
  /** Called once it is known what the codes at hand open. */
  onAsked: () => void;
}

export interface Codes {
  fault: string | null;
  /** Another code may be opened. */
  mayOpen: boolean;
  /** False: it opened nothing, and `fault` says why. */
  open: (typed: string) => Promise<boolean>;
  close: (code: string) => void;
  choose: (conventionId: string) => void;
}

/**
 * A contingent's code replaces an earlier one, because an order has seats of one contingent only.
 */
function withCode(codes: readonly OpenedCode[], added: OpenedCode): OpenedCode[] {
  const others = codes.filter(
    ({ code, found }) => code !== added.code && (found.rule !== null || added.found.rule !== null),
  );
  return [...others, added].slice(-mostCodes);
}

async function ask(eventId: string, typed: string): Promise<OpenedCode> {
  const code = spellCode(typed) ?? typed.trim();
  return { code, found: await call(openContingent, { params: { eventId }, body: { code } }) };
}

export function useCodes({ page, selection, state, onAsked }: About): Codes {
  const { event, takes_code, conventions } = page;
  const { fault, setFault } = useCodesAtHand({ page, selection, state, onAsked });
  const { codes } = state;
  return {
    fault,
    mayOpen: takes_code && codes.length < mostCodes,
    async open(typed) {
      try {
        const added = await ask(event.id, typed);
        selection.open({ codes: withCode(selection.snapshot().codes, added) });
        setFault(null);
        return true;
      } catch (error) {
        setFault(errorMessage(error, unasked));
        return false;
      }
    },
    close(code) {
      selection.closeCode(code);
      setFault(null);
    },
    choose(id) {
      selection.open({ convention: conventions.find((one) => one.id === id) ?? null });
    },
  };
}

/** Opens the codes that the visitor has already, and keeps those that are open. */
function useCodesAtHand({ page, selection, state, onAsked }: About) {
  const { event, takes_code, conventions } = page;
  const [atHand] = useState(() => codesAtHand(event.id));
  const isUnneeded = !takes_code && atHand.codes.length > 0;
  const [fault, setFault] = useState(isUnneeded ? unneeded : null);
  // After a lost connection a code may still be right, so that a reload asks again.
  const unanswered = useRef(takes_code ? atHand.codes : []);
  const tools = useRef({ onAsked, conventions });
  useEffect(() => {
    tools.current = { onAsked, conventions };
  });

  useEffect(() => {
    const { convention } = atHand;
    const chosen = tools.current.conventions.find(({ id }) => id === convention) ?? null;
    if (chosen !== null) selection.open({ convention: chosen });
    if (!takes_code) return tools.current.onAsked();
    void askAll();
    async function askAll() {
      let codes: OpenedCode[] = [];
      for (const code of atHand.codes)
        try {
          codes = withCode(codes, await ask(event.id, code));
          answered(code);
        } catch (error) {
          if (isSettled(error)) answered(code);
          setFault(errorMessage(error, unasked));
        }
      selection.open({ codes });
      tools.current.onAsked();
    }
    function answered(code: string) {
      unanswered.current = unanswered.current.filter((one) => one !== code);
    }
  }, [event.id, takes_code, atHand, selection]);

  const { codes, convention } = state;
  useEffect(() => {
    const open = [...codes.map(({ code }) => code), ...unanswered.current];
    keepCodes(event.id, { codes: [...new Set(open)], convention: convention?.id ?? null });
  }, [event.id, codes, convention]);

  return { fault, setFault };
}

export function isAddressAsked({ codes }: Pick<SelectionState, 'codes'>): boolean {
  return codes.some(({ found }) => found.needs_address);
}
