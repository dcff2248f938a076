/** A page that shows the chart through the vendor's own React component in strict mode; what it hears is kept for the test in `window.heard`. */
import { createElement, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { SeatsioSeatingChart } from '@seatsio/seatsio-react';

const { chart } = globalThis.ask;
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
    ...chart,
    region: 'eu',
    chartJsUrl: '/chart.js',
    onRenderStarted: (started) => {
      globalThis.chart = started;
      hear('started');
    },
    onChartRerenderingStarted: () => hear('rerendering'),
    onChartRendered: () => hear('rendered'),
    onChartRenderingFailed: () => hear('failed'),
    onSessionInitialized: ({ token, expiresInSeconds }) =>
      hear(`session ${token} ${expiresInSeconds}`),
    // The count comes from the latest drawing of the page: an old closure would repeat the first number.
    onObjectSelected: (object, type) => {
      hear(`selected ${object.label} ${type?.ticketType ?? '-'} after ${count}`);
      setCount(count + 1);
    },
    onObjectDeselected: (object) => hear(`deselected ${object.label}`),
    onHoldCallsInProgress: () => hear('calls begin'),
    onHoldCallsComplete: () => hear('calls end'),
    onHoldSucceeded: (objects, types) =>
      objects.forEach((object, at) => hear(`held ${object.label} ${types[at]?.ticketType ?? '-'}`)),
    onHoldFailed: (objects) => objects.forEach((object) => hear(`not held ${object.label}`)),
    onReleaseHoldSucceeded: (objects) =>
      objects.forEach((object) => hear(`released ${object.label}`)),
    onHoldTokenExpired: () => hear('expired'),
    onSelectionValid: () => hear('valid'),
    onSelectionInvalid: (broken) => hear(`invalid ${broken.join(' ')}`),
    onObjectStatusChanged: (object) => hear(`status ${object.label} ${object.status}`),
    onSelectedObjectBooked: (object) => hear(`booked ${object.label}`),
    onSelectedObjectUnavailable: (object) => hear(`lost ${object.label}`),
    onFilteredCategoriesChanged: (categories) =>
      hear(`filtered ${categories.map(({ label }) => label).join(' ')}`),
    onBestAvailableSelected: (objects, together) =>
      hear(`best ${objects.map(({ label }) => label).join(' ')} ${together}`),
    onBestAvailableSelectionFailed: () => hear('no best'),
    onFloorChanged: (floor) => hear(`floor ${floor?.name ?? 'all'}`),
  });
}

createRoot(document.querySelector('#page')).render(
  createElement(StrictMode, null, createElement(Page)),
);
