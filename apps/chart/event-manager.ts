/** The office's view of an event: for now the same drawing, to look at only. */
import type { ChartConfig } from './config.ts';
import { SeatingChart } from './seating-chart.ts';
import { words } from './words.ts';

export class EventManager extends SeatingChart {
  constructor(config: ChartConfig) {
    super({ ...config, mode: 'static', session: 'none', holdToken: undefined });
  }

  /** A secret key has no business in a browser: the manager goes by the public key too. */
  protected override missing(): string | null {
    return this.config.workspaceKey ? super.missing() : words.managerNeedsKey;
  }
}
