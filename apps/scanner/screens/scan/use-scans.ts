/** The order of things at the door: readings are decided one after the other, and what stands in front of the doorman settles whose turn it is. */
import { useCallback, useRef, useState } from 'react';
import type { Direction, Means } from '#server/domain/admission.ts';
import type { Shown } from '#apps/scanner/scan/admit.ts';
import { admit, admitGroup, recognise, syncSoon, undo } from '#apps/scanner/scan/phone.ts';
import type { Recognised } from '#apps/scanner/list/recognise.ts';
import { signal } from '#apps/scanner/device/signals.ts';
import type { UndoableScan } from '#apps/scanner/scan/undo.ts';
import { sameCodeMs } from '#apps/scanner/camera/view-filter.ts';

/** What the screen says about the last reading. */
export type Outcome =
  | { kind: 'verdict'; shown: Shown; ask: Ask }
  | { kind: 'group'; shown: Shown[] }
  | { kind: 'undone'; seat: string | null; admission_id: string }
  | { kind: 'not_undone' }
  /** `read`: the code that could not be written down, where it was one. */
  | { kind: 'not_saved'; read: string | null };

/** Whom a decision is about and how he was named. */
export interface Ask {
  recognised: Recognised;
  means: Means;
  note: string | null;
}

export type TakenBack = Pick<UndoableScan, 'admission_id' | 'place' | 'seat' | 'direction'>;

/** A conversation with a person; about whom is settled when it begins. */
export type Talk =
  | { about: 'code' }
  | { about: 'search' }
  | { about: 'presence' }
  | { about: 'queue' }
  | { about: 'cameras' }
  | { about: 'look'; ask: Ask }
  | { about: 'overrule'; ask: Ask }
  | { about: 'by_hand'; recognised: Recognised; seat: string; overrules: boolean }
  | { about: 'pin'; next: Talk }
  | { about: 'undo'; scan: TakenBack; isLast: boolean };

export interface ScanTurn {
  outcome: Outcome | null;
  talk: Talk | null;
  last: Shown | null;
  close: () => void;
  speak: (talk: Talk | null) => void;
  /** A scan that is being decided comes first: its verdict, not a dialog about the guest before, is what the doorman must see. */
  beginTalk: (talk: Talk) => void;
  decide: (ask: Ask, options?: { override?: string | null; direction?: Direction }) => void;
  letGroupIn: (shown: Shown) => void;
  takeBack: (scan: TakenBack, reason: string) => void;
  /** While a dialog is open, what happens to be in view or is put under the reader is nobody's turn: false, and nothing has come of it. `peek`: only tell about it; `byHand`: spelled out by a person. */
  onCode: (
    text: string,
    how: { peek: boolean; inView?: boolean; byHand?: boolean },
  ) => Promise<boolean>;
}

export function useScans(event_id: string, direction: Direction): ScanTurn {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [last, setLast] = useState<Shown | null>(null);
  const [talk, setTalk] = useState<Talk | null>(null);
  // What stands on the screen at this very moment: a scan or a tap must not wait for React to draw to know it.
  const front = useRef<{ outcome: Outcome | null; talk: Talk | null }>({
    outcome: null,
    talk: null,
  });
  /** Whose ticket a dialog has just decided about, and when. */
  const answered = useRef<{ place: string | null; at: number }>({ place: null, at: 0 });
  // One after the other: the second of two quick codes must see what the first has changed.
  const turn = useRef<Promise<unknown>>(Promise.resolve());

  const show = useCallback((next: Outcome | null) => {
    front.current.outcome = next;
    setOutcome(next);
  }, []);
  const speak = useCallback((next: Talk | null) => {
    front.current.talk = next;
    setTalk(next);
  }, []);
  const close = useCallback(() => show(null), [show]);

  /** Resolves to what the work says; what fails is told, and was somebody's turn. */
  const inTurn = useCallback(
    (work: () => Promise<boolean>, read: string | null = null): Promise<boolean> => {
      const done = turn.current.then(async () => {
        try {
          return await work();
        } catch (error) {
          console.error(error);
          show({ kind: 'not_saved', read });
          signal('not_saved');
          return true;
        }
      });
      turn.current = done;
      return done;
    },
    [show],
  );

  const settle = useCallback(
    async (ask: Ask, options: { override?: string | null; direction?: Direction } = {}) => {
      const shown = await admit({
        event_id,
        ...ask,
        direction: options.direction ?? direction,
        override: options.override ?? null,
      });
      show({ kind: 'verdict', shown, ask });
      setLast(shown);
      signal(shown.verdict);
      syncSoon();
      return true;
    },
    [event_id, direction, show],
  );

  const decide = useCallback(
    (ask: Ask, options: { override?: string | null; direction?: Direction } = {}) => {
      const { reading } = ask.recognised;
      if (reading.kind === 'place')
        answered.current = { place: reading.place, at: performance.now() };
      void inTurn(() => settle(ask, options));
    },
    [inTurn, settle],
  );

  const letGroupIn = useCallback(
    (of: Shown, seen: Outcome | null = front.current.outcome) =>
      void inTurn(async () => {
        // The next guest's code was being decided when the finger came down: his verdict stays, the order can be called up again.
        if (front.current.outcome !== seen) return false;
        const shown = await admitGroup({
          event_id,
          places: of.mates.map(({ place }) => place),
          direction: 'in',
        });
        if (shown.length === 0) return false;
        show({ kind: 'group', shown });
        setLast(shown.at(-1)!);
        signal(shown.find(({ counts }) => !counts)?.verdict ?? 'group');
        syncSoon();
        return true;
      }),
    [event_id, inTurn, show],
  );

  const takeBack = useCallback(
    (scan: TakenBack, reason: string) =>
      void inTurn(async () => {
        answered.current = { place: scan.place, at: performance.now() };
        const { undone, seat } = await undo({ event_id, admission_id: scan.admission_id, reason });
        if (!undone) {
          show({ kind: 'not_undone' });
          signal('not_saved');
          return true;
        }
        show({ kind: 'undone', seat, admission_id: scan.admission_id });
        setLast((before) =>
          before?.admission_id === scan.admission_id ? { ...before, verdict: 'undone' } : before,
        );
        signal('undone');
        syncSoon();
        return true;
      }),
    [event_id, inTurn, show],
  );

  const beginTalk = useCallback(
    (wanted: Talk) => {
      const { outcome: seen } = front.current;
      turn.current = turn.current.then(() => {
        if (front.current.outcome === seen) speak(wanted);
      });
    },
    [speak],
  );

  const onCode = useCallback(
    (
      text: string,
      {
        peek,
        inView = false,
        byHand = false,
      }: { peek: boolean; inView?: boolean; byHand?: boolean },
    ) =>
      inTurn(async () => {
        const { talk: open } = front.current;
        // One ticket after the other may be looked at without closing the one before.
        if (open !== null && !(peek && open.about === 'look')) {
          // What happens to stand before the camera wants nothing; whoever puts a ticket under a reader waits for an answer.
          if (!inView) signal('busy');
          return false;
        }
        const ask: Ask = {
          recognised: await recognise(event_id, text),
          means: 'code',
          note: byHand ? 'Codice scritto a mano' : null,
        };
        const { reading } = ask.recognised;
        // Still held there from before the dialog that was about it: what a person has just said of it is not undone by the next picture.
        if (
          !peek &&
          inView &&
          reading.kind === 'place' &&
          reading.place === answered.current.place &&
          performance.now() - answered.current.at < sameCodeMs
        )
          return true;
        if (!peek) return settle(ask);
        speak({ about: 'look', ask });
        signal('looked');
        return true;
      }, text),
    [event_id, inTurn, settle, speak],
  );

  return { outcome, talk, last, close, speak, beginTalk, decide, letGroupIn, takeBack, onCode };
}
