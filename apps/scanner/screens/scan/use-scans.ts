/** The scanning screen's state: scans are decided one after the other, and while a dialog or another decision is open, the next code waits its turn. */
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
  | { kind: 'verdict'; shown: Shown; ticket: PresentedTicket }
  | { kind: 'group'; shown: Shown[] }
  | { kind: 'undone'; seat: string | null; admission_id: string }
  | { kind: 'not_undone' }
  /** `read`: the code that could not be written down, where it was one. */
  | { kind: 'not_saved'; read: string | null };

/** The ticket that a decision is about, and how it was presented. */
export interface PresentedTicket {
  recognised: Recognised;
  means: Means;
  note: string | null;
}

export type TakenBack = Pick<UndoableScan, 'admission_id' | 'place' | 'seat' | 'direction'>;

/** What is open over the camera; which ticket it is about is settled when it opens. */
export type ScanDialog =
  | { about: 'code' }
  | { about: 'search' }
  | { about: 'presence' }
  | { about: 'queue' }
  | { about: 'cameras' }
  | { about: 'look'; ticket: PresentedTicket }
  | { about: 'overrule'; ticket: PresentedTicket }
  | { about: 'by_hand'; recognised: Recognised; seat: string; overrules: boolean }
  | { about: 'pin'; next: ScanDialog }
  | { about: 'undo'; scan: TakenBack; isLast: boolean };

/** What only a supervisor may do begins with the PIN, where this phone needs one. */
export function withPin(next: ScanDialog, needsPin: boolean): ScanDialog {
  return needsPin ? { about: 'pin', next } : next;
}

export interface ScanTurn {
  outcome: Outcome | null;
  dialog: ScanDialog | null;
  last: Shown | null;
  close: () => void;
  showDialog: (dialog: ScanDialog | null) => void;
  /** A scan that is being decided comes first: its verdict, not a dialog about the guest before, is what the doorman must see. */
  openDialog: (dialog: ScanDialog) => void;
  decide: (
    ticket: PresentedTicket,
    options?: { override?: string | null; direction?: Direction },
  ) => void;
  letGroupIn: (shown: Shown) => void;
  takeBack: (scan: TakenBack, reason: string) => void;
  /** False where nothing has come of it, because a dialog is open. `peek`: only show what is known; `byHand`: typed by a person. */
  onCode: (
    text: string,
    how: { peek: boolean; inView?: boolean; byHand?: boolean },
  ) => Promise<boolean>;
}

export function useScans(event_id: string, direction: Direction): ScanTurn {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [last, setLast] = useState<Shown | null>(null);
  const [dialog, setDialog] = useState<ScanDialog | null>(null);
  // What is in front at this very moment: a scan or a tap must not wait for React to render to know it.
  const front = useRef<{ outcome: Outcome | null; dialog: ScanDialog | null }>({
    outcome: null,
    dialog: null,
  });
  /** The place that a dialog has just decided about, and when. */
  const answered = useRef<{ place: string | null; at: number }>({ place: null, at: 0 });
  // One after the other: the second of two quick codes must see what the first has changed.
  const turn = useRef<Promise<unknown>>(Promise.resolve());

  const show = useCallback((next: Outcome | null) => {
    front.current.outcome = next;
    setOutcome(next);
  }, []);
  const showDialog = useCallback((next: ScanDialog | null) => {
    front.current.dialog = next;
    setDialog(next);
  }, []);
  const close = useCallback(() => show(null), [show]);

  /** Resolves to what the work returns; a failure is shown and counts as a turn. */
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
    async (
      ticket: PresentedTicket,
      options: { override?: string | null; direction?: Direction } = {},
    ) => {
      const shown = await admit({
        event_id,
        ...ticket,
        direction: options.direction ?? direction,
        override: options.override ?? null,
      });
      show({ kind: 'verdict', shown, ticket });
      setLast(shown);
      signal(shown.verdict);
      syncSoon();
      return true;
    },
    [event_id, direction, show],
  );

  const decide = useCallback(
    (
      ticket: PresentedTicket,
      options: { override?: string | null; direction?: Direction } = {},
    ) => {
      const { reading } = ticket.recognised;
      if (reading.kind === 'place')
        answered.current = { place: reading.place, at: performance.now() };
      void inTurn(() => settle(ticket, options));
    },
    [inTurn, settle],
  );

  const letGroupIn = useCallback(
    (of: Shown, seen: Outcome | null = front.current.outcome) =>
      void inTurn(async () => {
        // The next guest's code was being decided when the finger came down: the verdict stays, the order can be called up again.
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

  const openDialog = useCallback(
    (wanted: ScanDialog) => {
      const { outcome: seen } = front.current;
      turn.current = turn.current.then(() => {
        if (front.current.outcome === seen) showDialog(wanted);
      });
    },
    [showDialog],
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
        const { dialog: open } = front.current;
        // One ticket after the other may be looked at without closing the one before.
        if (open !== null && !(peek && open.about === 'look')) {
          // A code that happens to be in view needs no answer; whoever puts a ticket under a reader waits for one.
          if (!inView) signal('busy');
          return false;
        }
        const ticket: PresentedTicket = {
          recognised: await recognise(event_id, text),
          means: 'code',
          note: byHand ? 'Codice scritto a mano' : null,
        };
        const { reading } = ticket.recognised;
        // Still in view from before the dialog about it: the next picture must not undo what a person has just decided.
        if (
          !peek &&
          inView &&
          reading.kind === 'place' &&
          reading.place === answered.current.place &&
          performance.now() - answered.current.at < sameCodeMs
        )
          return true;
        if (!peek) return settle(ticket);
        showDialog({ about: 'look', ticket });
        signal('looked');
        return true;
      }, text),
    [event_id, inTurn, settle, showDialog],
  );

  return {
    outcome,
    dialog,
    last,
    close,
    showDialog,
    openDialog,
    decide,
    letGroupIn,
    takeBack,
    onCode,
  };
}
