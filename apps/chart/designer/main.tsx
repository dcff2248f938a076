/** The chart designer's own script: its function opens one in a page, for chart.js. */
import { createRoot } from 'react-dom/client';
import type { DesignerConfig } from './config.ts';
import { Calls } from './line/calls.ts';
import { findKept } from './line/kept.ts';
import { openChart, whyNot } from './line/open-chart.ts';
import { startPresence } from './line/presence.ts';
import { Session } from './line/session.ts';
import { Designer } from '#apps/chart/designer/shell/page/designer.tsx';
import { applyStyles } from './kit/style.ts';
import { Studio } from './state/studio.ts';

interface Opening {
  host: HTMLElement;
  /** The folder of all requests. */
  server: string;
  config: () => DesignerConfig;
  /** Closes the designer. */
  signal: AbortSignal;
}

/** True once the designer can be used; false when it shows why it cannot. */
export async function openDesigner({ host, server, config, signal }: Opening): Promise<boolean> {
  const { canvasColorScheme, colorScheme, mode } = config();
  const frame = host.appendChild(document.createElement('section'));
  frame.className = 'bsd';
  frame.lang = 'it';
  frame.setAttribute('aria-label', 'Disegno della pianta');
  const theme = colorScheme ?? canvasColorScheme ?? 'auto';
  frame.dataset['theme'] = theme;
  const removeStyles = applyStyles(host);
  const root = createRoot(frame);
  const end = () => {
    root.unmount();
    frame.remove();
    removeStyles();
  };
  if (signal.aborted) {
    end();
    return false;
  }
  signal.addEventListener('abort', end, { once: true });
  root.render(<p className="bsd-full">Sto caricando la pianta…</p>);
  try {
    const calls = new Calls(server, config);
    const opened = await openChart(calls, config());
    if (signal.aborted) return false;
    const readOnly = mode === 'readOnly' || opened.chart?.archived === true;
    const studio = new Studio(opened.doc, { readOnly });
    const session = new Session({ studio, calls, config, server, signal }, opened);
    const kept = readOnly ? null : await findKept(session.keptUnder, opened.doc);
    await new Promise<void>((resolve) => {
      const isWide = frame.clientWidth > 900;
      const parts = { studio, session, config, kept, isWide, onReady: resolve };
      root.render(<Designer {...parts} />);
    });
    startPresence(session, studio, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    root.render(
      <p className="bsd-full" role="alert">
        {whyNot(error)}
      </p>,
    );
    return false;
  }
}
