/**
 * The office's view of an event, read-only or to choose places without selling them; it changes
 * nothing at the server by itself.
 */
import type { ChartConfig, ObjectChoice } from './config.ts';
import { placeLabel } from './scene/scene.ts';
import { SeatingChart } from './seating-chart.ts';
import { words } from './words.ts';

interface ManagerConfig extends Omit<ChartConfig, 'mode'> {
  /** In select, createOrder and editOrder places can be chosen; the other modes are read-only. */
  mode?: string;
  /** For editOrder: the places that the order had before. */
  order?: ObjectChoice[];
  unavailableObjectsSelectable?: boolean;
}

interface OrderChange {
  type: 'PLACE_ADDED' | 'PLACE_REMOVED' | 'TICKET_TYPE_CHANGED';
  object: string;
  ticketType?: string;
}

const choosing = new Set(['select', 'createOrder', 'editOrder']);

export class EventManager extends SeatingChart {
  readonly #order: ObjectChoice[];
  readonly #mode: string;

  constructor(config: ManagerConfig) {
    const { mode = 'static', order = [], ...rest } = config;
    const isOrder = mode === 'createOrder' || mode === 'editOrder';
    super({
      ...rest,
      mode: choosing.has(mode) ? 'normal' : 'static',
      ...(isOrder ? {} : { session: 'none', holdToken: undefined }),
      ...(mode === 'editOrder' ? { selectedObjects: order } : {}),
      ...(mode === 'select'
        ? { unavailableObjectsSelectable: config.unavailableObjectsSelectable ?? true }
        : {}),
    });
    this.#order = order;
    this.#mode = mode;
  }

  /** The manager uses the public key, too, because a secret key must not be in a browser. */
  protected override missing(): string | null {
    return this.config.workspaceKey ? super.missing() : words.managerNeedsKey;
  }

  protected override get choosesFreely(): boolean {
    return this.#mode === 'editOrder' || this.#mode === 'select';
  }

  setHighlightedObjects(labels: string[]): void {
    void this.setSpotlight(labels);
  }

  clearHighlightedObjects(): void {
    void this.setSpotlight(null);
  }

  async setFilteredSection(label: string): Promise<void> {
    const { scene } = await this.board;
    const section = scene.chart.sections.findIndex((one) => one.label === label);
    await this.setSpotlight(scene.labels.filter((_, i) => scene.section[i] === section));
  }

  clearFilteredSection(): void {
    void this.setSpotlight(null);
  }

  /** The changes from the order's first choice to the current one, place by place. */
  async listOrderChanges(): Promise<OrderChange[]> {
    const before = new Map<string, string[]>();
    for (const choice of this.#order) {
      const {
        label,
        ticketType = '',
        amount = 1,
      } = typeof choice === 'string' ? { label: choice } : choice;
      before.set(label, [
        ...(before.get(label) ?? []),
        ...Array.from({ length: amount }, () => ticketType),
      ]);
    }
    const { selection, scene } = await this.board;
    const now = new Map(
      selection.all.map((i) => [
        placeLabel(scene, i),
        [...selection.counts(i)].flatMap(([type, count]) =>
          Array.from({ length: count }, () => type),
        ),
      ]),
    );
    return [...new Set([...before.keys(), ...now.keys()])].flatMap((object) =>
      compare(object, before.get(object) ?? [], now.get(object) ?? []),
    );
  }
}

function compare(object: string, before: string[], now: string[]): OrderChange[] {
  const gone = [...before];
  const come = now.filter((type) => {
    const at = gone.indexOf(type);
    if (at >= 0) gone.splice(at, 1);
    return at < 0;
  });
  const named = (type: OrderChange['type'], ticketType = ''): OrderChange => ({
    type,
    object,
    ...(ticketType ? { ticketType } : {}),
  });
  const swapped = Math.min(gone.length, come.length);
  return [
    ...come.slice(0, swapped).map((type) => named('TICKET_TYPE_CHANGED', type)),
    ...come.slice(swapped).map((type) => named('PLACE_ADDED', type)),
    ...gone.slice(swapped).map((type) => named('PLACE_REMOVED', type)),
  ];
}
