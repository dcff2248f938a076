/** The chart designer: keeps the contract's life cycle and says that it is not there yet. */
import type { ChartConfig } from './config.ts';
import { Shell } from './shell.ts';
import { adoptStyle } from './style.ts';
import { makeTheme } from './theme.ts';
import { words } from './words.ts';

interface DesignerConfig extends Pick<ChartConfig, 'container' | 'divId' | 'colorScheme'> {
  onDesignerRenderingFailed?: (designer: SeatingChartDesigner) => void;
}

export class SeatingChartDesigner {
  config: DesignerConfig;
  state: 'NEW' | 'FAILED' | 'DESTROYED' = 'NEW';
  #shell: Shell | null = null;
  #dropStyle: (() => void) | null = null;

  constructor(config: DesignerConfig) {
    this.config = config;
  }

  render(): this {
    const { container, divId } = this.config;
    const home = container ?? document.querySelector<HTMLElement>(`#${CSS.escape(divId ?? 'chart')}`);
    if (!home || this.state !== 'NEW') throw new Error('SeatingChartDesigner.render(): no container, or already rendered');
    this.state = 'FAILED';
    this.#dropStyle = adoptStyle(home);
    this.#shell = new Shell(home, undefined);
    this.#shell.wear(makeTheme(this.config), undefined);
    this.#shell.showFailure(words.designerMissing);
    // Asked like every other callback: after render() has given the designer back.
    queueMicrotask(() => { if (this.state === 'FAILED') this.config.onDesignerRenderingFailed?.(this); });
    return this;
  }

  destroy(): void {
    this.state = 'DESTROYED';
    this.#shell?.remove();
    this.#dropStyle?.();
    this.#dropStyle = null;
  }
}
