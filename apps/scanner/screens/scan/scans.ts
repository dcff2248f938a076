/** The scanning screen's state: scans are decided one after the other, and while a dialog or another decision is open, the next code waits its turn. */
import type { Direction, Means } from '#server/domain/admission.ts';
import { sameCodeMs } from '#apps/scanner/camera/view-filter.ts';
import { signal } from '#apps/scanner/device/signals.ts';
import type { Recognised } from '#apps/scanner/list/recognise.ts';
import { observable } from '#apps/scanner/observable.ts';
import type { Shown } from '#apps/scanner/scan/admit.ts';
import { phone, syncSoon } from '#apps/scanner/scan/phone.ts';
import { directionOf, type Mode } from './mode-switch.tsx';

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

/** A scan that somebody wants to take back. */
export interface TakenBack {
  admission_id: string;
  place: string;
  seat: string | null;
  direction: Direction;
}

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

interface ScanState {
  outcome: Outcome | null;
  dialog: ScanDialog | null;
  /** The last scan that was decided. */
  last: Shown | null;
}

interface Override {
  direction: Direction;
  /** A supervisor's reason. */
  override?: string | null;
}

/** Outside React: a scan or a tap must not wait for a render to know what is in front. */
export class Scans {
  private readonly event_id: string;
  private readonly state = observable<ScanState>({ outcome: null, dialog: null, last: null });
  /** The place that a dialog has just decided about, and when. */
  private answered: { place: string | null; at: number } = { place: null, at: 0 };
  /** One after the other: the second of two quick codes must see what the first has changed. */
  private turn: Promise<unknown> = Promise.resolve();

  readonly subscribe = this.state.subscribe;
  readonly read = this.state.read;

  constructor(event_id: string) {
    this.event_id = event_id;
  }

  readonly close = (): void => this.change({ outcome: null });

  showDialog(dialog: ScanDialog | null): void {
    this.change({ dialog });
  }

  /** A scan that is being decided comes first: its verdict, not a dialog about the guest before, is what the doorman must see. */
  openDialog(dialog: ScanDialog): void {
    const { outcome: seen } = this.read();
    this.turn = this.turn.then(() => {
      if (this.read().outcome === seen) this.showDialog(dialog);
    });
  }

  decide(ticket: PresentedTicket, how: Override): void {
    const { reading } = ticket.recognised;
    if (reading.kind === 'place') this.noteAnswer(reading.place);
    void this.inTurn(() => this.settle(ticket, how));
  }

  letGroupIn({ companions }: Shown): void {
    const { outcome: seen } = this.read();
    void this.inTurn(async () => {
      // The next guest's code was being decided when the finger came down: the verdict stays, the order can be called up again.
      if (this.read().outcome !== seen) return false;
      const shown = await phone.admitGroup({
        event_id: this.event_id,
        places: companions.map(({ place }) => place),
        direction: 'in',
      });
      if (shown.length === 0) return false;
      this.change({ outcome: { kind: 'group', shown }, last: shown.at(-1)! });
      signal(shown.find(({ counts }) => !counts)?.verdict ?? 'group');
      syncSoon();
      return true;
    });
  }

  takeBack({ admission_id, place }: TakenBack, reason: string): void {
    void this.inTurn(async () => {
      this.noteAnswer(place);
      const { undone, seat } = await phone.undo({ event_id: this.event_id, admission_id, reason });
      if (!undone) {
        this.change({ outcome: { kind: 'not_undone' } });
        signal('not_saved');
        return true;
      }
      const { last } = this.read();
      this.change({
        outcome: { kind: 'undone', seat, admission_id },
        last: last?.admission_id === admission_id ? { ...last, verdict: 'undone' } : last,
      });
      signal('undone');
      syncSoon();
      return true;
    });
  }

  /** False where nothing has come of it, because a dialog is open. `inView`: seen by the camera; `byHand`: typed by a person. */
  onCode(
    text: string,
    { mode, inView = false, byHand = false }: { mode: Mode; inView?: boolean; byHand?: boolean },
  ): Promise<boolean> {
    const isPeek = mode === 'check';
    return this.inTurn(async () => {
      const { dialog } = this.read();
      // One ticket after the other may be looked at without closing the one before.
      if (dialog !== null && !(isPeek && dialog.about === 'look')) {
        // A code that happens to be in view needs no answer; whoever puts a ticket under a reader waits for one.
        if (!inView) signal('busy');
        return false;
      }
      const ticket: PresentedTicket = {
        recognised: await phone.recognise(this.event_id, text),
        means: 'code',
        note: byHand ? 'Codice scritto a mano' : null,
      };
      // Still in view from before the dialog about it: the next picture must not undo what a person has just decided.
      if (!isPeek && inView && this.isJustAnswered(ticket)) return true;
      if (!isPeek) return this.settle(ticket, { direction: directionOf(mode) });
      this.showDialog({ about: 'look', ticket });
      signal('looked');
      return true;
    }, text);
  }

  private change(part: Partial<ScanState>): void {
    this.state.write({ ...this.read(), ...part });
  }

  private noteAnswer(place: string): void {
    this.answered = { place, at: performance.now() };
  }

  private isJustAnswered({ recognised: { reading } }: PresentedTicket): boolean {
    const { place, at } = this.answered;
    return (
      reading.kind === 'place' && reading.place === place && performance.now() - at < sameCodeMs
    );
  }

  /** Resolves to what the work returns; a failure is shown and counts as a turn. `read`: the code that it is about. */
  private inTurn(work: () => Promise<boolean>, read: string | null = null): Promise<boolean> {
    const done = this.turn.then(work).catch((error: unknown) => {
      console.error(error);
      this.change({ outcome: { kind: 'not_saved', read } });
      signal('not_saved');
      return true;
    });
    this.turn = done;
    return done;
  }

  private async settle(
    ticket: PresentedTicket,
    { direction, override = null }: Override,
  ): Promise<boolean> {
    const { event_id } = this;
    const shown = await phone.admit({ event_id, ...ticket, direction, override });
    this.change({ outcome: { kind: 'verdict', shown, ticket }, last: shown });
    signal(shown.verdict);
    syncSoon();
    return true;
  }
}
