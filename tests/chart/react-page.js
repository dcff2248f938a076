/** A page that shows the chart through the vendor's own React component in strict mode; what it hears is kept for the test in `window.heard`. */
import { createElement, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { SeatsioSeatingChart } from '@seatsio/seatsio-react';

globalThis.heard = [];
const hear = (line) => globalThis.heard.push(line);

function Page() {
  const [count, setCount] = useState(0);
  const [shown, setShown] = useState(true);
  useEffect(() => {
    globalThis.hideChart = () => setShown(false);
  }, []);
  if (!shown) return null;
  return createElement(SeatsioSeatingChart, {
    ...globalThis.ask,
    region: 'eu',
    chartJsUrl: '/chart.js',
    onRenderStarted: (started) => {
      globalThis.chart = started;
      hear('started');
    },
    onChartRendered: () => hear('rendered'),
    // The count comes from the latest drawing of the page: an old closure would repeat the first number.
    onObjectSelected: ({ label }) => {
      hear(`selected ${label} after ${count}`);
      setCount(count + 1);
    },
  });
}

createRoot(document.querySelector('#page')).render(
  createElement(StrictMode, null, createElement(Page)),
);
