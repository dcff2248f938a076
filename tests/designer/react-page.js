/** A page that opens the designer through the vendor's own React component in strict mode; what it hears is kept in `window.heard`. */
import { createElement, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { SeatsioDesigner } from '@seatsio/seatsio-react';

globalThis.heard = [];
const hear = (line) => globalThis.heard.push(line);

function Page() {
  const [count, setCount] = useState(0);
  const [settings, setSettings] = useState(globalThis.ask.designer);
  useEffect(() => {
    globalThis.change = setSettings;
  }, []);
  if (!settings) return null;
  return createElement(SeatsioDesigner, {
    region: 'eu',
    chartJsUrl: '/chart.js',
    ...settings,
    onRenderStarted: (designer) => {
      globalThis.designer = designer;
    },
    onDesignerRendered: () => hear('rendered'),
    onDesignerRenderingFailed: () => hear('failed'),
    onChartCreated: (key) => hear(`created ${key}`),
    // The count comes from the latest drawing of the page: an old closure would repeat the first number.
    onChartUpdated: (key) => {
      hear(`updated ${key} after ${count}`);
      setCount(count + 1);
    },
    onChartPublished: (key) => hear(`published ${key}`),
    onExitRequested: () => hear('exit'),
  });
}

createRoot(document.querySelector('#page')).render(
  createElement(StrictMode, null, createElement(Page)),
);
