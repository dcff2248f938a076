/** The chart designer: shows a chart and what is wrong with it; drawing is done elsewhere, and it says so. */
import type { DesignerPreview } from '#server/standins/seatsio/wire.ts';
import { Board } from './board.ts';
import { buildScene } from './scene/build-scene.ts';
import { CallFailed, Client, readPreview } from './choice/client.ts';
import type { ChartConfig } from './config.ts';
import { focusWhileScrollable, make } from './page/dom.ts';
import { HoldSession } from './choice/hold.ts';
import { Shell } from './page/shell.ts';
import { adoptStyle } from './page/style.ts';
import { makeTheme } from './paint/theme.ts';
import { words } from './page/words.ts';

interface DesignerConfig extends Pick<
  ChartConfig,
  'container' | 'divId' | 'colorScheme' | 'loading'
> {
  /** Never on a public page. */
  secretKey?: string;
  chartKey?: string;
  /** False: the version on sale, even where there is a draft. */
  openDraftDrawing?: boolean;
  openLatestDrawing?: boolean;
  onDesignerRendered?: (designer: SeatingChartDesigner) => void;
  onDesignerRenderingFailed?: (designer: SeatingChartDesigner) => void;
}

const nothing = () => {};

export class SeatingChartDesigner {
  config: DesignerConfig;
  state: 'NEW' | 'RENDERING' | 'RENDERED' | 'FAILED' | 'DESTROYED' = 'NEW';
  readonly #life = new AbortController();
  #shell: Shell | null = null;
  #dropStyle: (() => void) | null = null;

  constructor(config: DesignerConfig) {
    this.config = config;
  }

  render(): this {
    const { container, divId, loading } = this.config;
    const home =
      container ?? document.querySelector<HTMLElement>(`#${CSS.escape(divId ?? 'chart')}`);
    if (!home || this.state !== 'NEW')
      throw new Error('SeatingChartDesigner.render(): no container, or already rendered');
    this.state = 'RENDERING';
    this.#dropStyle = adoptStyle(home);
    this.#shell = new Shell(home, loading);
    this.#shell.wear(makeTheme(this.config), undefined);
    const shell = this.#shell;
    this.#load(shell).then(
      () => this.#settle('RENDERED'),
      (error: unknown) => {
        if (this.#life.signal.aborted) return;
        if (!(error instanceof CallFailed)) reportError(error);
        shell.showFailure(failureOf(error, this.config));
        this.#settle('FAILED');
      },
    );
    return this;
  }

  async #load(shell: Shell): Promise<void> {
    const { chartKey = '', secretKey = '', openDraftDrawing, openLatestDrawing } = this.config;
    // Asked like every other callback: after render() has given the designer back.
    await Promise.resolve();
    if (!chartKey || !secretKey) throw new CallFailed(404, 'CHART_NOT_FOUND');
    const wantsDraft = openDraftDrawing !== false && openLatestDrawing !== false;
    const preview = await readPreview({
      chartKey,
      secretKey,
      version: wantsDraft ? 'draft' : 'published',
      signal: this.#life.signal,
    });
    this.#show(shell, preview);
  }

  #show(shell: Shell, { chart, isDraft, findings }: DesignerPreview): void {
    const { signal } = this.#life;
    const config = (): ChartConfig => ({
      colorScheme: this.config.colorScheme,
      mode: 'static',
      showLegend: true,
      showSeatLabels: true,
    });
    const client = new Client({ workspaceKey: '', events: [], channels: undefined, signal });
    const session = new HoldSession({
      client,
      config,
      emit: nothing,
      signal,
      expired: nothing,
      changed: nothing,
    });
    const scene = buildScene({ chart });
    new Board({
      scene,
      statuses: [],
      shell,
      client,
      session,
      config,
      emit: nothing,
      signal,
      redraw: nothing,
      filter: () => Promise.resolve(),
      findBest: () => Promise.resolve(null),
    }).start();
    const list = make(
      'ul',
      {},
      ...findings.map(({ severity, where, message }) =>
        make(
          'li',
          { className: severity === 'error' ? 'bsc-bad' : '' },
          make('b', {}, where),
          `: ${message}.`,
        ),
      ),
    );
    const title = `${chart.name} · ${isDraft ? words.designerDraft : words.designerPublished}`;
    const section = make(
      'section',
      { className: 'bsc-findings', attributes: { 'aria-label': words.designerFindings } },
      make('h2', {}, title),
      make('p', {}, words.designerReadOnly),
      make(
        'p',
        {},
        findings.length === 0 ? words.designerFine : words.designerFound(findings.length),
      ),
      list,
    );
    focusWhileScrollable(section);
    shell.root.prepend(section);
  }

  #settle(state: 'RENDERED' | 'FAILED'): void {
    if (this.state !== 'RENDERING') return;
    this.state = state;
    this.config[state === 'RENDERED' ? 'onDesignerRendered' : 'onDesignerRenderingFailed']?.(this);
  }

  destroy(): void {
    if (this.state === 'DESTROYED')
      throw new Error('SeatingChartDesigner.destroy(): already destroyed');
    this.state = 'DESTROYED';
    this.#life.abort();
    this.#shell?.remove();
    this.#dropStyle?.();
    this.#dropStyle = null;
  }
}

function failureOf(error: unknown, { chartKey }: DesignerConfig): string {
  if (!chartKey) return words.designerNoChart;
  const status = error instanceof CallFailed ? error.status : 0;
  if (status === 401 || status === 403) return words.designerRefused;
  return status === 404 ? words.designerNoChart : words.renderingFailed;
}
