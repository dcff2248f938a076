/** The part of chart.js that fetches the designer's own script when a page opens a designer. */
import { scriptFolder } from './choice/client.ts';
import type { DesignerConfig } from './designer/config.ts';
import type { openDesigner } from './designer/main.tsx';
import { words } from './words.ts';

interface Config extends DesignerConfig {
  onDesignerRendered?: (designer: SeatingChartDesigner) => void;
  onDesignerRenderingFailed?: (designer: SeatingChartDesigner) => void;
}

export class SeatingChartDesigner {
  /** Read at each use, because a page may replace it at any time. */
  config: Config;
  state: 'NEW' | 'RENDERING' | 'RENDERED' | 'FAILED' | 'DESTROYED' = 'NEW';
  readonly #life = new AbortController();

  constructor(config: Config) {
    this.config = config;
  }

  render(): this {
    const { container, divId } = this.config;
    const host =
      container ?? document.querySelector<HTMLElement>(`#${CSS.escape(divId ?? 'chart')}`);
    if (!host || this.state !== 'NEW')
      throw new Error('SeatingChartDesigner.render(): no container, or already rendered');
    this.state = 'RENDERING';
    void this.#open(host).then((isOpen) => this.#settle(isOpen ? 'RENDERED' : 'FAILED'));
    return this;
  }

  async #open(host: HTMLElement): Promise<boolean> {
    const { signal } = this.#life;
    let opener: { openDesigner: typeof openDesigner };
    try {
      opener = await import(/* @vite-ignore */ `${scriptFolder}designer/designer.js`);
    } catch {
      if (signal.aborted) return false;
      host.textContent = words.renderingFailed;
      signal.addEventListener('abort', () => host.replaceChildren());
      return false;
    }
    return opener.openDesigner({ host, server: scriptFolder, config: () => this.config, signal });
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
  }
}
