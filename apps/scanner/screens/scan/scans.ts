/**
 * The scanning screen's state. Scans are decided one after the other; a code that is read during
 * a decision waits.
 */
import type { Direction, Verdict } from '#server/domain/door/admission.ts';
import { readAnswer, readQuestion, type Question } from '#server/domain/door/approval.ts';
import type { ForeignCode } from '#server/domain/door/foreign-text.ts';
import { signal } from '#apps/scanner/device/signals.ts';
import type { Recognised } from '#apps/scanner/list/recognise.ts';
import { observable } from '#apps/scanner/kit/observable.ts';
import { storeFault, type StoreFault } from '#apps/scanner/kit/store-fault.ts';
import type { Shown } from '#apps/scanner/scan/admit.ts';
import type { AnswerRead, Consent, Refused } from '#apps/scanner/scan/approval.ts';
import { phone, syncSoon } from '#apps/scanner/scan/phone.ts';
import type { Pending } from '#apps/scanner/scan/pending.ts';
import { askedAbout, type Deed, type PresentedTicket, type TakenBack } from './supervisor/deeds.ts';
import { directionOf, type Mode } from './mode-switch.tsx';

/**
 * For this time after a dialog has decided about a ticket, its code is ignored, because it may
 * still be in view.
 */
const answeredMs = 2_500;

/** What the screen says about the last reading. */
export type Outcome =
  | { kind: 'verdict'; shown: Shown; ticket: PresentedTicket }
  | { kind: 'group'; shown: Shown[] }
  | { kind: 'undone'; seat: string | null; admission_id: string; count: number }
  | { kind: 'not_undone' }
  /** A code of another ticket system is in view. */
  | { kind: 'foreign'; code: ForeignCode }
  /** A question or answer of supervisors that this phone cannot use. */
  | { kind: 'no_use'; why: Refused | 'stray' }
  /** `read`: the code that could not be stored, if it was one. */
  | { kind: 'not_saved'; read: string | null; fault: StoreFault | null };

export type VerdictOutcome = Extract<Outcome, { kind: 'verdict' }>;

/** The dialog over the camera; its ticket is fixed when it opens. */
export type ScanDialog =
  | { about: 'code' }
  | { about: 'search' }
  | { about: 'presence' }
  | { about: 'queue' }
  | { about: 'cameras' }
  | { about: 'look'; ticket: PresentedTicket }
  /** `verdict`: what is overruled. */
  | { about: 'overrule'; ticket: PresentedTicket; verdict: Verdict }
  | { about: 'how_many'; outcome: VerdictOutcome }
  | { about: 'by_hand'; recognised: Recognised; seat: string; overrules: Verdict | null }
  /** `together`: ids of scans of the same tap. */
  | {
      about: 'undo';
      scan: TakenBack;
      isLast: boolean;
      asks: boolean;
      together: readonly string[];
    }
  /** Asks for a supervisor's consent; `trouble`: why the last answer did not count. */
  | { about: 'ask'; deed: Deed; question: Question; trouble: AnswerRead['kind'] | null }
  /** On a supervisor's phone: another phone asks. */
  | { about: 'consent'; question: Question; text: string };

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
  consent?: Consent | null;
}

/** The state lives outside React: a scan or a tap must not wait for a render. */
export class Scans {
  private readonly event_id: string;
  private readonly state = observable<ScanState>({ outcome: null, dialog: null, last: null });
  /** The place that a dialog has just decided about, and the time. */
  private answered: { place: string | null; at: number } = { place: null, at: 0 };
  /** The end of the last decision: the next code must see its changes. */
  private turn: Promise<unknown> = Promise.resolve();

  readonly subscribe = this.state.subscribe;
  readonly read = this.state.read;

  constructor(event_id: string) {
    this.event_id = event_id;
  }

  readonly close = (): void => this.change({ outcome: null });

  /** Ends a question to a supervisor and shows the verdict again. */
  readonly cancel = (): void => this.showDialog(null);

  showDialog(dialog: ScanDialog | null): void {
    this.change({ dialog });
  }

  /**
   * A scan that is being decided comes first, because the steward must see its verdict and not a
   * dialog about the previous guest.
   */
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

  /** Shows a new question; a valid answer carries out what was asked. */
  ask(deed: Deed): void {
    const question = phone.askSupervisor(askedAbout(this.event_id, deed));
    this.showDialog({ about: 'ask', deed, question, trouble: null });
  }

  act(deed: Deed, consent: Consent | null = null): void {
    const { reason } = deed;
    if (deed.kind === 'undo') return this.takeBack(deed, consent);
    if (deed.kind === 'overrule')
      return this.decide(deed.ticket, { override: reason, direction: 'in', consent });
    this.decide(
      { recognised: deed.recognised, means: 'search', note: reason },
      { override: deed.overrules !== null ? reason : null, direction: deed.direction, consent },
    );
  }

  /** Lets the rest of the order in or out, or as many of it as `count` says. */
  letGroupPass({ shown, ticket }: VerdictOutcome, count = Infinity): void {
    const { direction, party } = shown;
    const { outcome: seen } = this.read();
    void this.inTurn(async () => {
      // If the next guest's code was being decided at the moment of the tap, its verdict stays;
      // the order can be opened again.
      if (this.read().outcome !== seen) return false;
      const group = await phone.admitGroup({
        event_id: this.event_id,
        leader: ticket.recognised,
        places: party.companions.slice(0, count).map(({ place }) => place),
        direction,
      });
      const last = group.findLast(({ counts }) => counts) ?? group.at(-1);
      if (!last) return false;
      this.change({ outcome: { kind: 'group', shown: group }, last });
      signal(group.find(({ counts }) => !counts)?.verdict ?? 'group');
      syncSoon();
      return true;
    });
  }

  /** Decides a scan that could not be stored before a restart, unless it is too old. */
  resume(pending: Pending | 'late' | null, phone_id: string): void {
    if (pending === null) return;
    void this.inTurn(async () => {
      if (pending === 'late' || pending.phone_id !== phone_id)
        throw new Error('The scan waited too long for the restart');
      if (pending.kind === 'undo')
        return this.showUndone(pending.undo, await phone.undoAgain(pending));
      const shown = await phone.admitAgain(pending);
      const [ticket, last] = [pending.scans[0], shown.at(-1)];
      if (!ticket || !last) return false;
      this.change({
        outcome: pending.isGroup
          ? { kind: 'group', shown }
          : { kind: 'verdict', shown: last, ticket },
        last,
      });
      signal(shown.find(({ counts }) => !counts)?.verdict ?? last.verdict);
      syncSoon();
      return true;
    });
  }

  private takeBack(
    { scan, reason, together = [] }: Extract<Deed, { kind: 'undo' }>,
    consent: Consent | null,
  ): void {
    const { admission_id, place } = scan;
    const { event_id } = this;
    void this.inTurn(async () => {
      this.noteAnswer(place);
      const ask = { event_id, admission_id, together, reason, consent };
      return this.showUndone(ask, await phone.undo(ask));
    });
  }

  private showUndone(
    { admission_id }: { admission_id: string },
    { undone, count, seat }: Awaited<ReturnType<typeof phone.undo>>,
  ): boolean {
    if (!undone) {
      this.change({ outcome: { kind: 'not_undone' } });
      signal('not_saved');
      return true;
    }
    const { last } = this.read();
    this.change({
      outcome: { kind: 'undone', seat, admission_id, count },
      last: seat !== null && last?.place?.seat === seat ? { ...last, verdict: 'undone' } : last,
    });
    signal('undone');
    syncSoon();
    return true;
  }

  /**
   * False when the code was ignored, because a dialog is open. `inView`: the camera sees the
   * code; `byHand`: a person typed it.
   */
  onCode(
    text: string,
    { mode, inView = false, byHand = false }: { mode: Mode; inView?: boolean; byHand?: boolean },
  ): Promise<boolean> {
    const isPeek = mode === 'check';
    return this.inTurn(async () => {
      const { dialog } = this.read();
      if (dialog?.about === 'ask') return this.hearAnswer(dialog, text);
      // Tickets may be looked up one after the other, without closing the previous one.
      if (dialog !== null && !(isPeek && dialog.about === 'look')) {
        // A code in view needs no answer, but a handheld reader was aimed on purpose.
        if (!inView) signal('busy');
        return false;
      }
      if (this.hearSupervisor(text)) return true;
      const ticket: PresentedTicket = {
        recognised: await phone.recognise(this.event_id, text),
        means: 'code',
        note: byHand ? 'Codice scritto a mano' : null,
      };
      if (!isPeek && inView && this.takeAnswered(ticket)) return true;
      if (!isPeek) return this.settle(ticket, { direction: directionOf(mode) });
      this.showDialog({ about: 'look', ticket });
      signal('looked');
      return true;
    }, text);
  }

  /**
   * False while a dialog or another verdict is on the screen: the camera may still see the paper of
   * a guest who has gone in.
   */
  onForeign(code: ForeignCode): boolean {
    const { outcome, dialog } = this.read();
    if (dialog !== null || (outcome !== null && outcome.kind !== 'foreign')) return false;
    this.change({ outcome: { kind: 'foreign', code } });
    signal('invalid');
    return true;
  }

  /** False for any other code: the guest's ticket may still be in view. */
  private async hearAnswer(asked: ScanDialog & { about: 'ask' }, text: string): Promise<boolean> {
    const read = await phone.readConsent(asked.question, text);
    // The dialog was closed meanwhile, or shows another question now.
    if (this.read().dialog !== asked) return true;
    if (read.kind === 'other') return false;
    if (read.kind === 'consent') {
      this.showDialog(null);
      this.act(asked.deed, read.consent);
      return true;
    }
    this.showDialog({ ...asked, trouble: read.kind });
    signal('busy');
    return true;
  }

  /**
   * Takes a question or answer between the phones of supervisors and stewards; false for any
   * other text.
   */
  private hearSupervisor(text: string): boolean {
    const question = readQuestion(text);
    if (question === null && readAnswer(text) === null) return false;
    const why = question === null ? 'stray' : phone.refusalOf(question);
    if (why !== null) this.change({ outcome: { kind: 'no_use', why } });
    else if (question) this.change({ outcome: null, dialog: { about: 'consent', question, text } });
    signal(why === null ? 'looked' : 'busy');
    return true;
  }

  private change(part: Partial<ScanState>): void {
    this.state.write({ ...this.read(), ...part });
  }

  private noteAnswer(place: string): void {
    this.answered = { place, at: performance.now() };
  }

  /** True once after a dialog; the same code from a second guest is a new scan. */
  private takeAnswered({ recognised: { reading } }: PresentedTicket): boolean {
    const { place, at } = this.answered;
    if (reading.kind !== 'place' || reading.place !== place) return false;
    this.answered = { place: null, at: 0 };
    return performance.now() - at < answeredMs;
  }

  /**
   * Runs the work after all earlier work and resolves to its result; a failure is shown. `read`:
   * the code in question.
   */
  private inTurn(work: () => Promise<boolean>, read: string | null = null): Promise<boolean> {
    const done = this.turn.then(work).catch((error: unknown) => {
      console.error(error);
      this.change({ outcome: { kind: 'not_saved', read, fault: storeFault(error) } });
      signal('not_saved');
      return true;
    });
    this.turn = done;
    return done;
  }

  private async settle(
    ticket: PresentedTicket,
    { direction, override = null, consent = null }: Override,
  ): Promise<boolean> {
    const { event_id } = this;
    const shown = await phone.admit({ event_id, ...ticket, direction, override, consent });
    this.change({ outcome: { kind: 'verdict', shown, ticket }, last: shown });
    signal(shown.verdict);
    syncSoon();
    return true;
  }
}
