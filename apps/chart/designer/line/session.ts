/**
 * One open chart and its server: what is saved and what is not, who else is drawing, and what
 * prevents saving.
 */
import { newId } from '#apps/chart/designer/state/new-id.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import type {
  DesignerChart,
  DesignerConflict,
  DesignerPresence,
} from '#server/standins/seatsio/wire.ts';
import type { DesignerConfig } from '#apps/chart/designer/config.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { CallRefused, type Calls } from './calls.ts';
import { ChartCalls, makeChart } from './chart-calls.ts';
import { forgetKept, keepDrawing } from './kept.ts';
import type { OpenedChart } from './open-chart.ts';

/**
 * `offline`: the drawing is stored here and sent again by itself; `ended`: the key has expired;
 * `conflict`: another person has saved; `refused`: the server does not accept the drawing.
 */
type SaveState = 'saved' | 'changed' | 'saving' | 'offline' | 'ended' | 'conflict' | 'refused';

/** The drawing that another person has saved meanwhile. */
export interface Conflict extends DesignerConflict {
  doc: Doc;
}

export interface SessionState {
  /** Null while the server has no chart. */
  readonly key: string | null;
  readonly chart: DesignerChart | null;
  /** The version that the next change is based on. */
  readonly version: number;
  readonly isDraft: boolean;
  readonly publishedVersion: number;
  readonly save: SaveState;
  readonly savedAt: string | null;
  /** False when this browser could not store the drawing either. */
  readonly isKept: boolean;
  readonly conflict: Conflict | null;
  /** Set when another person has saved while nothing was changed here. */
  readonly newer: { savedBy: string | null } | null;
  readonly people: DesignerPresence['people'];
}

const pause = { quiet: 1_500, most: 6_000, firstRetry: 4_000, lastRetry: 60_000 };

interface Line {
  studio: Studio;
  calls: Calls;
  config: () => DesignerConfig;
  /**
   * The server's address, part of the key of stored drawings, because charts of two servers may
   * have the same key.
   */
  server: string;
  signal: AbortSignal;
}

export class Session {
  /** Identifies this open designer among others. */
  readonly tab = newId();
  readonly #line: Line;
  readonly #listeners = new Set<() => void>();
  #state: SessionState;
  #chartCalls: ChartCalls | null;
  #savedDoc: Doc;
  #changedSince = 0;
  #timer = 0;
  #retry = pause.firstRetry;
  #running: Promise<void> | null = null;

  constructor(line: Line, { chart, doc, version }: OpenedChart) {
    this.#line = line;
    this.#savedDoc = doc;
    this.#chartCalls = chart ? new ChartCalls(line.calls, chart.key) : null;
    this.#state = {
      key: chart?.key ?? null,
      chart,
      version,
      isDraft: chart ? version !== chart.publishedVersion : true,
      publishedVersion: chart?.publishedVersion ?? 0,
      save: 'saved',
      savedAt: chart?.savedAt ?? null,
      isKept: false,
      conflict: null,
      newer: null,
      people: [],
    };
    const { studio, signal } = line;
    const leave = studio.subscribe(this.#notice);
    const online = () => void this.save();
    addEventListener('online', online, { signal });
    addEventListener('pagehide', this.#hurry, { signal });
    document.addEventListener('visibilitychange', this.#hurry, { signal });
    addEventListener('beforeunload', this.#warn, { signal });
    signal.addEventListener('abort', () => {
      leave();
      clearTimeout(this.#timer);
      this.#hurry();
    });
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Whether the server has this chart, so that calls about it are possible. */
  get isStored(): boolean {
    return this.#chartCalls !== null;
  }

  get calls(): ChartCalls {
    if (!this.#chartCalls) throw new Error('The server has no such chart yet');
    return this.#chartCalls;
  }

  /** The key under which this browser stores its drawings. */
  get keptUnder(): string {
    return `${this.#line.server} ${this.#state.key ?? 'new'}`;
  }

  get isChanged(): boolean {
    return this.#line.studio.state.doc !== this.#savedDoc;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(part: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...part };
    for (const listener of this.#listeners) listener();
  }

  /** Sends changes, one call at a time; unsent ones are stored and sent later. */
  save(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#running) return this.#running;
    const { conflict, save } = this.#state;
    if (!this.isChanged || conflict || save === 'refused') return Promise.resolve();
    this.#running = this.#send().finally(() => {
      this.#running = null;
      if (this.isChanged && this.#state.save === 'changed') this.#later(pause.quiet);
    });
    return this.#running;
  }

  /** Opens a drawing that the server has: a restored version, or another person's. */
  take(doc: Doc, version: number, isDraft: boolean): void {
    this.#savedDoc = doc;
    this.#line.studio.replace(doc);
    this.set({ version, isDraft, save: 'saved', conflict: null, newer: null });
    void forgetKept(`${this.keptUnder} ${this.tab}`);
  }

  /** Opens a drawing that the server lacks: one stored here, or one that overwrites another. */
  startFrom(version: number): void {
    this.set({ version, conflict: null, newer: null, save: 'changed' });
    void this.save();
  }

  /** The server's drawing was changed by an act here. */
  updated(): void {
    this.#line.config().onChartUpdated?.(this.#state.key ?? '');
  }

  published(version: number): void {
    this.set({ publishedVersion: version, version, isDraft: false });
    this.#line.config().onChartPublished?.(this.#state.key ?? '');
  }

  readonly #notice = (): void => {
    if (!this.isChanged || this.#line.studio.state.readOnly) return;
    const { save } = this.#state;
    if (save === 'refused') this.set({ save: 'changed' });
    if (save === 'saved' || save === 'refused') this.#changedSince = Date.now();
    if (save === 'saved') this.set({ save: 'changed' });
    if (save === 'conflict' || save === 'ended') void this.#keep();
    else if (save !== 'offline' && !this.#running) {
      const latest = this.#changedSince + pause.most - Date.now();
      this.#later(Math.max(0, Math.min(pause.quiet, latest)));
    }
  };

  readonly #hurry = (event?: Event): void => {
    if (!this.isChanged || (event?.type === 'visibilitychange' && !document.hidden)) return;
    void this.#keep();
    void this.save();
  };

  readonly #warn = (event: Event): void => {
    if (this.isChanged && !this.#line.studio.state.readOnly) event.preventDefault();
  };

  #later(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.save(), milliseconds);
  }

  async #keep(): Promise<void> {
    const { doc } = this.#line.studio.state;
    const isKept = await keepDrawing(doc, {
      chart: this.keptUnder,
      tab: this.tab,
      version: this.#state.version,
    });
    this.set({ isKept });
  }

  async #send(): Promise<void> {
    const { studio, config } = this.#line;
    const { doc } = studio.state;
    const kept = `${this.keptUnder} ${this.tab}`;
    this.set({ save: 'saving' });
    try {
      const isNew = this.#chartCalls === null;
      const calls = this.#chartCalls ?? (await this.#make(doc));
      const { version } = this.#state;
      const saved = await calls.saveDrawing(doc, { version, tab: this.tab });
      this.#savedDoc = doc;
      this.#retry = pause.firstRetry;
      this.#changedSince = Date.now();
      this.set({
        ...saved,
        isDraft: true,
        isKept: false,
        save: this.isChanged ? 'changed' : 'saved',
      });
      void forgetKept(kept);
      if (isNew) config().onChartCreated?.(this.#state.key ?? '');
      else this.updated();
    } catch (error) {
      await this.#failed(error);
    }
  }

  async #make(doc: Doc): Promise<ChartCalls> {
    const key = await makeChart(this.#line.calls, doc.root.name || 'Nuova pianta');
    const calls = new ChartCalls(this.#line.calls, key);
    const chart = await calls.readChart();
    this.#chartCalls = calls;
    const { version, publishedVersion } = chart;
    this.set({ key, chart, version, publishedVersion });
    return calls;
  }

  async #failed(error: unknown): Promise<void> {
    const { status, code, data } = error instanceof CallRefused ? error : new CallRefused(0, '');
    if (status === 409 && code === 'DRAWING_CHANGED') {
      await this.#meet(data as DesignerConflict);
      return;
    }
    await this.#keep();
    const isPassing = status === 0 || status >= 500 || status === 429 || status === 408;
    if (isPassing) {
      this.set({ save: 'offline' });
      this.#later(this.#retry);
      this.#retry = Math.min(this.#retry * 2, pause.lastRetry);
    } else this.set({ save: status === 401 || status === 403 ? 'ended' : 'refused' });
  }

  async #meet(told: DesignerConflict): Promise<void> {
    await this.#keep();
    try {
      const { doc, version } = await this.calls.readDrawing('current');
      this.set({ save: 'conflict', conflict: { ...told, version, doc } });
    } catch {
      this.set({ save: 'offline' });
      this.#later(this.#retry);
    }
  }
}
