/** The chart's selection for the page: a small store between the chart's callbacks and React. */
import type { SeatingChart } from '@seatsio/seatsio-react';
import { call } from '#apps/shared/api.ts';
import { prolongHold } from '#server/contract/holds.ts';
import type { openContingent } from '#server/contract/contingents.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { SaleConvention } from '#server/domain/price/sale-rule.ts';
import { track } from '#apps/shared/track.ts';
import type { ChosenObject } from '#apps/shared/chosen-place.ts';
import type { Choice } from './choices.ts';
import { isAskedFor } from '#apps/booking/event/open-booking.ts';

/** A code, and what it opens: seats of a contingent, or a price rule. */
export interface OpenedCode {
  code: string;
  found: ReplyOf<typeof openContingent>;
}

export interface SelectionState {
  choices: readonly Choice[];
  /** The chart's rules that the selection breaks, except the one against an empty selection. */
  violations: readonly string[];
  /**
   * The end of the hold, in ms of this browser's clock; null before the chart's session begins.
   */
  deadline: number | null;
  expired: boolean;
  /** A new number rebuilds the chart. */
  generation: number;
  /** The chart was removed, because the visitor leaves for the checkout. */
  destroyed: boolean;
  /** The server will not prolong this hold again. */
  last_time: boolean;
  /** Chosen seats were booked by another page, probably in another tab. */
  booked_elsewhere: boolean;
  /** The visitor is in the waiting room and cannot choose. */
  waits: boolean;
  codes: readonly OpenedCode[];
  convention: SaleConvention | null;
  /** The buyer's mail for a code that is counted by address; '': none yet. */
  address: string;
}

/** What to book. */
export interface Settled {
  hold_token: string;
  contingent_code?: string;
  codes?: string[];
  conventions?: string[];
  address?: string;
  choices: Choice[];
}

/** The longest wait for the chart's hold calls; they end sooner, unless a chart reports no end. */
const holdTimeoutMs = 10_000;

export class SeatSelection {
  private state: SelectionState = {
    choices: [],
    violations: [],
    deadline: null,
    expired: false,
    generation: 0,
    destroyed: false,
    last_time: false,
    booked_elsewhere: false,
    waits: false,
    codes: [],
    convention: null,
    address: '',
  };
  private readonly listeners = new Set<() => void>();
  private choicesOf: (objects: readonly ChosenObject[]) => Choice[] = () => [];
  /** How many come to an object sold whole, by its label. */
  readonly coming = new Map<string, number>();
  /** Null until it is drawn. */
  chart: SeatingChart | null = null;
  private token = '';
  private reads = 0;
  private holding: { done: Promise<void>; end: () => void } | null = null;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly snapshot = (): SelectionState => this.state;

  constructor(waits = false) {
    this.state.waits = waits;
  }

  wait(waits: boolean): void {
    this.change({ waits });
  }

  /**
   * Sets the function that reads choices: it comes with the chart, and again with new prices or
   * names.
   */
  readWith(choicesOf: (objects: readonly ChosenObject[]) => Choice[]): void {
    this.choicesOf = choicesOf;
    if (this.chart !== null) this.refresh();
  }

  open(part: Partial<Pick<SelectionState, 'codes' | 'convention' | 'address'>>): void {
    this.change(part);
  }

  closeCode(code: string): void {
    this.change({ codes: this.state.codes.filter((one) => one.code !== code) });
  }

  /** If the refusal names no code, any code of a price rule may be the cause. */
  closeGone(refused: string, named: unknown): void {
    if (refused === 'convention_unknown') return this.change({ convention: null });
    this.change({
      codes: this.state.codes.filter(({ code, found }) =>
        typeof named === 'string' ? code !== named : found.rule === null,
      ),
    });
  }

  come(object_id: string, coming: number): void {
    this.coming.set(object_id, coming);
    this.refresh();
  }

  readonly callbacks = {
    onChartRendered: (chart: SeatingChart) => {
      if (chart !== this.chart) this.endHolding();
      this.chart = chart;
      this.refresh();
    },
    // Older chart scripts have `holdToken` instead of `token`.
    onSessionInitialized: (session: {
      token?: string;
      holdToken?: string;
      expiresInSeconds: number;
    }) => {
      this.token = session.token ?? session.holdToken ?? '';
      this.change({
        deadline: Date.now() + session.expiresInSeconds * 1000,
        expired: false,
        last_time: false,
      });
    },
    onHoldTokenExpired: () => this.change({ choices: [], deadline: null, expired: true }),
    onObjectSelected: () => {
      track('seats_selected');
      this.change({ booked_elsewhere: false });
      this.refresh();
    },
    onObjectDeselected: () => {
      track('seats_deselected');
      this.refresh();
    },
    onSelectedObjectUnavailable: () => this.refresh(),
    // Seats of our own booking stay in the list until the booking is answered.
    onSelectedObjectBooked: ({ label }: { label: string }) => {
      if (isAskedFor(label)) return;
      this.change({ booked_elsewhere: true });
      this.refresh();
    },
    onHoldSucceeded: () => this.refresh(),
    onHoldFailed: () => this.refresh(),
    onReleaseHoldFailed: () => this.refresh(),
    onSelectionValid: () => this.change({ violations: [] }),
    onSelectionInvalid: (violations: string[]) =>
      this.change({ violations: violations.filter((name) => name !== 'minimumSelectedPlaces') }),
    onHoldCallsInProgress: () => {
      if (this.holding !== null) return;
      let end = () => {};
      const done = new Promise<void>((resolve) => {
        end = resolve;
      });
      this.holding = { done, end };
    },
    onHoldCallsComplete: () => {
      this.endHolding();
      this.refresh();
    },
  };

  /**
   * Reads the selection to book once the chart's hold calls have ended, because a booking must
   * not overtake a hold.
   */
  async settle(): Promise<Settled> {
    if (this.holding !== null)
      await Promise.race([
        this.holding.done,
        new Promise((resolve) => {
          setTimeout(resolve, holdTimeoutMs);
        }),
      ]);
    const choices = await this.read();
    // An unanswered booking removes its seats from the chart, but they stay in the list.
    if (choices.length > 0 || !this.state.choices.some((choice) => isAskedFor(choice.object_id)))
      this.change({ choices });
    return { hold_token: this.chart?.holdToken || this.token, ...this.opened(), choices };
  }

  /** The booking's fields about codes and conventions; empty ones are left out. */
  private opened(): Omit<Settled, 'hold_token' | 'choices'> {
    const { codes, convention, address } = this.state;
    const contingent = codes.find(({ found }) => found.rule === null);
    const prices = codes.filter(({ found }) => found.rule !== null);
    return {
      ...(contingent && { contingent_code: contingent.code }),
      ...(prices.length > 0 && { codes: prices.map(({ code }) => code) }),
      ...(convention && { conventions: [convention.id] }),
      ...(prices.some(({ found }) => found.needs_address) && address !== '' && { address }),
    };
  }

  async remove(choice: Choice): Promise<void> {
    const object = choice.is_area
      ? { label: choice.object_id, ticketType: choice.ticket_type, amount: choice.quantity }
      : choice.object_id;
    await this.chart?.deselectObjects([object]);
    this.coming.delete(choice.object_id);
    this.refresh();
  }

  /** Rebuilds the chart with the present state, after seats were taken or the hold ended. */
  renew(): void {
    this.chart = null;
    this.endHolding();
    this.change({
      choices: [],
      violations: [],
      expired: false,
      booked_elsewhere: false,
      generation: this.state.generation + 1,
    });
  }

  /** Asks for more time for the held seats; the seat map's server tells the chart. */
  async prolong(eventId: string): Promise<void> {
    const { expires_in_seconds, may_prolong } = await call(prolongHold, {
      params: { eventId },
      body: { hold_token: this.chart?.holdToken || this.token },
    });
    this.change({ deadline: Date.now() + expires_in_seconds * 1000, last_time: !may_prolong });
  }

  destroy(): void {
    this.chart?.destroy();
    this.chart = null;
    this.endHolding();
    this.change({ destroyed: true });
  }

  /** Rebuilds the chart, because the visitor did not leave after all. */
  revive(): void {
    this.renew();
    this.change({ destroyed: false });
  }

  /** A removed chart never reports the end of its hold calls. */
  private endHolding(): void {
    this.holding?.end();
    this.holding = null;
  }

  private async read(): Promise<Choice[]> {
    const objects = (await this.chart?.listSelectedObjects()) ?? [];
    return this.choicesOf(objects as readonly ChosenObject[]);
  }

  /** Replies may arrive in another order; only the latest request counts. */
  private refresh(): void {
    const read = ++this.reads;
    void this.read().then((choices) => {
      if (read === this.reads && !this.state.destroyed) this.change({ choices });
    });
  }

  private change(part: Partial<SelectionState>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }
}
