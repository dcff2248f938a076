/** The chart designer's own script: what chart.js calls to open one in a page. */
import { createRoot, type Root } from 'react-dom/client';
import type { DesignerConfig } from './config.ts';
import { Calls } from './line/calls.ts';
import { openChart, whyNot } from './line/open-chart.ts';
import { Designer } from './shell/designer.tsx';
import { wearStyles } from './shell/style.ts';
import { Studio } from './state/studio.ts';

interface Opening {
  host: HTMLElement;
  /** The folder that everything is asked under. */
  server: string;
  config: () => DesignerConfig;
  /** Ends it. */
  signal: AbortSignal;
}

/** True once it can be drawn in; false: it says in its place why not. */
export async function openDesigner({ host, server, config, signal }: Opening): Promise<boolean> {
  const { canvasColorScheme, colorScheme, mode } = config();
  const frame = host.appendChild(document.createElement('section'));
  frame.className = 'bsd';
  frame.lang = 'it';
  frame.setAttribute('aria-label', 'Disegno della pianta');
  const theme = colorScheme ?? canvasColorScheme ?? 'auto';
  frame.dataset['theme'] = theme;
  const undress = wearStyles(host);
  const root = createRoot(frame);
  const end = () => {
    root.unmount();
    frame.remove();
    undress();
  };
  if (signal.aborted) {
    end();
    return false;
  }
  signal.addEventListener('abort', end, { once: true });
  root.render(<p className="bsd-full">Sto caricando la pianta…</p>);
  try {
    const doc = await openChart(new Calls(server, config), config());
    if (signal.aborted) return false;
    await show(root, new Studio(doc, { readOnly: mode === 'readOnly' }), config);
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

function show(root: Root, studio: Studio, config: () => DesignerConfig): Promise<void> {
  return new Promise((resolve) => {
    root.render(<Designer studio={studio} config={config} onReady={resolve} />);
  });
}
