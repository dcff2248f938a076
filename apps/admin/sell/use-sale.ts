/**
 * Sends a sale with one key until its result is known, even after a lost connection or reload.
 */
import { newKey } from '#apps/admin/kit/new-key.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { makeSale } from '#server/contract/counter.ts';
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import { CallError } from '#apps/shared/api.ts';
import { partOfAddress } from './adding-address.ts';
import { useAct } from '#apps/admin/kit/session/session.ts';

export type SaleBody = Asked<typeof makeSale>['body'];
export type Sale = ReplyOf<typeof makeSale>;
export interface Refused {
  code: string;
  text: string;
  /** The code of a buyer that it is about; null: it names none. */
  named: string | null;
}

const storageKey = 'cassa.vendita';
const againMs = 2_000;

export interface Sending {
  /** The sale that is being sent, or whose result is unknown. */
  pending: SaleBody | null;
  /** The last request got no answer. */
  isUnknown: boolean;
  sale: Sale | null;
  refused: Refused | null;
  send: (body: Omit<SaleBody, 'sale_key'>) => void;
  /** Sends the refused sale again with more fields. */
  again: (extra: Partial<SaleBody>) => void;
  /** Removes the shown message. */
  forget: () => void;
}

/** A sale that a reload interrupted, to be sent again. */
function storedSale(): SaleBody | null {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as SaleBody | null;
  } catch {
    return null;
  }
}

function storeSale(body: SaleBody | null): void {
  try {
    if (body === null) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(body));
  } catch {
    /* Without storage only a reload loses the sale. */
  }
}

/** The server may have stored the sale even if the connection broke or it answered 5xx. */
function isSettled(error: unknown): error is CallError {
  return error instanceof CallError && typeof error.status === 'number' && error.status < 500;
}

function refusedBy({ code, message, detail }: CallError): Refused {
  const named = (detail as { code?: unknown } | null)?.code;
  return { code, text: message, named: typeof named === 'string' ? named : null };
}

export function useSale(onEnd: (sale: Sale | null, refused: Refused | null) => void): Sending {
  const act = useAct();
  const [pending, setPending] = useState<SaleBody | null>(storedSale);
  const [isUnknown, setUnknown] = useState(false);
  const [sale, setSale] = useState<Sale | null>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  const last = useRef<SaleBody | null>(null);
  const tools = useRef({ act, onEnd });
  useEffect(() => {
    tools.current = { act, onEnd };
  });

  useEffect(() => {
    if (pending === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    const end = (made: Sale | null, no: Refused | null) => {
      storeSale(null);
      setUnknown(false);
      setSale(made);
      setRefused(no);
      setPending(null);
      tools.current.onEnd(made, no);
    };
    const tryOnce = async () => {
      try {
        const made = await tools.current.act(makeSale, { body: pending });
        if (!stopped) end(made, null);
      } catch (error) {
        if (stopped) return;
        if (isSettled(error)) return end(null, refusedBy(error));
        setUnknown(true);
        timer = setTimeout(tryOnce, againMs);
      }
    };
    void tryOnce();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [pending]);

  const send = useCallback((body: Omit<SaleBody, 'sale_key'>) => {
    const whole = { ...partOfAddress(), ...body, sale_key: newKey() };
    storeSale(whole);
    last.current = whole;
    setSale(null);
    setRefused(null);
    setPending((now) => now ?? whole);
  }, []);
  const forget = useCallback(() => {
    setSale(null);
    setRefused(null);
  }, []);
  const again = useCallback(
    (extra: Partial<SaleBody>) => last.current && send({ ...last.current, ...extra }),
    [send],
  );
  return { pending, isUnknown, sale, refused, send, again, forget };
}
