/** In the page of a shop: shows one chart after another, and keeps what the last one told: in `heard` place by place, in `said` call by call. */

const each = (verb) => (places) => places.map(({ label }) => `${verb} ${label}`);
const typed = (verb, { label }, type) => `${verb} ${label} ${type?.ticketType ?? '-'}`;

/** By the callback's name without `on`: what is heard by it. */
const sentences = {
  ChartRendered: () => ['rendered'],
  ChartRenderingFailed: () => ['failed'],
  ChartRerenderingStarted: () => ['rerendering'],
  SessionInitialized: () => [],
  ObjectSelected: (place, type) => [typed('selected', place, type)],
  ObjectDeselected: (place) => [`deselected ${place.label}`],
  ObjectStatusChanged: (place) => [`status ${place.label} ${place.status}`],
  HoldCallsInProgress: () => ['calls begin'],
  HoldCallsComplete: () => ['calls end'],
  HoldSucceeded: (places, types) => places.map((place, at) => typed('held', place, types[at])),
  HoldFailed: each('not held'),
  ReleaseHoldSucceeded: each('released'),
  ReleaseHoldFailed: each('not released'),
  HoldTokenExpired: () => ['expired'],
  SelectionValid: () => ['valid'],
  SelectionInvalid: (broken) => [`invalid ${broken.join(' ')}`],
  SelectedObjectBooked: (place) => [`booked ${place.label}`],
  SelectedObjectUnavailable: (place) => [`lost ${place.label}`],
  FilteredCategoriesChanged: (categories) => [
    `filtered ${categories.map(({ label }) => label).join(' ')}`,
  ],
  BestAvailableSelected: (places, together) => [
    `best ${places.map(({ label }) => label).join(' ')} ${together}`,
  ],
  BestAvailableSelectionFailed: () => ['no best'],
  FloorChanged: ({ name, categories }) => [
    `floor ${name} ${categories.map(({ label }) => label).join(' ')}`,
  ],
  FullScreenOpened: () => [],
  FullScreenClosed: () => [],
};

function brief(value) {
  if (Array.isArray(value)) return value.map(brief).join('+');
  const { ticketType, label, token, name } = Object(value);
  return ticketType ?? label ?? token ?? name ?? (typeof value === 'object' ? '' : String(value));
}

globalThis.show = (settings, kind = 'SeatingChart') => {
  if (globalThis.chart && globalThis.chart.state !== 'DESTROYED') globalThis.chart.destroy();
  const [heard, said] = [[], []];
  Object.assign(globalThis, { heard, said });
  const callbacks = Object.entries(sentences).map(([name, sentencesOf]) => [
    `on${name}`,
    (...values) => {
      said.push([name, ...values.map(brief)].join(' ').trim());
      heard.push(...sentencesOf(...values));
    },
  ]);
  globalThis.chart = new globalThis.seatsio[kind]({
    container: document.querySelector('#page'),
    ...Object.fromEntries(callbacks),
    ...settings,
  }).render();
};
