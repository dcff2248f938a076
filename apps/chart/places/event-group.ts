/**
 * Several events on one chart, sold together as a season or a series: a place taken in one event
 * counts as taken.
 */
import { requireValue } from '#server/domain/require-value.ts';
import type { WireState, WireStatus, WireStatusGroup } from '#server/standins/seatsio/wire.ts';

/** A status combined from several events. */
export interface PlaceState extends WireState {
  perEvent?: Record<string, string>;
}

const plain: WireState = { status: 'free' };

/** The later status in the list wins: a held place may be given back, a booked one will not. */
function weigh(status: string): number {
  const weight = ['free', 'resale', 'reservedByToken'].indexOf(status);
  return weight < 0 ? 3 : weight;
}

function taken({ numBooked = 0, numHeld = 0 }: WireState): number {
  return numBooked + numHeld;
}

/** Stores each event's statuses apart: a release in one does not free what another has sold. */
export class EventGroup {
  readonly #layers: Map<string, Map<string, WireState>>;

  constructor(events: readonly string[]) {
    this.#layers = new Map(events.map((event) => [event, new Map<string, WireState>()]));
  }

  #layerOf(event: string): Map<string, WireState> {
    return requireValue(this.#layers.get(event), 'event of the chart');
  }

  /** Replaces all statuses of one event. */
  reset(event: string, groups: WireStatusGroup[]): void {
    const layer = this.#layerOf(event);
    layer.clear();
    for (const { labels, ...state } of groups) for (const label of labels) layer.set(label, state);
  }

  /** Applies one event's changes and returns the combined statuses of the places. */
  change(event: string, changes: WireStatus[]): (PlaceState & { label: string })[] {
    const layer = this.#layerOf(event);
    return changes.map(({ label, ...state }) => {
      layer.set(label, state);
      return { label, ...this.#merge(label) };
    });
  }

  /** Every place that is not free in at least one event. */
  all(): (PlaceState & { labels: string[] })[] {
    const labels = new Set([...this.#layers.values()].flatMap((layer) => [...layer.keys()]));
    return [...labels].map((label) => ({ labels: [label], ...this.#merge(label) }));
  }

  #merge(label: string): PlaceState {
    const states = [...this.#layers].map(([event, layer]) => ({
      event,
      state: layer.get(label) ?? plain,
    }));
    const merged: PlaceState = states
      .map(({ state }) => state)
      .reduce((worst, state) => ({
        status: weigh(state.status) > weigh(worst.status) ? state.status : worst.status,
        ...(worst.forSale === false || state.forSale === false ? { forSale: false } : {}),
        ...(worst.locked || state.locked ? { locked: true } : {}),
        ...((worst.channel ?? state.channel) ? { channel: worst.channel ?? state.channel } : {}),
        ...(taken(state) > taken(worst) ? pickCounts(state) : pickCounts(worst)),
      }));
    return {
      ...merged,
      perEvent: Object.fromEntries(states.map(({ event, state }) => [event, state.status])),
    };
  }
}

function pickCounts({ numBooked, numHeld }: WireState): Pick<WireState, 'numBooked' | 'numHeld'> {
  return {
    ...(numBooked === undefined ? {} : { numBooked }),
    ...(numHeld === undefined ? {} : { numHeld }),
  };
}
