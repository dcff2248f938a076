/** The page's store of what is selected, when its chart goes away. */
import type { SeatingChart } from '@seatsio/seatsio-react';
import { expect, test } from 'vitest';
import { forgetBooking, keepBooking } from '#apps/booking/event/open-booking.ts';
import { choicesOf } from '#apps/booking/event/seats/read-choices.ts';
import { SeatSelection } from '#apps/booking/event/seats/selection.ts';

/** A chart on which these seats are selected until they are booked. */
function chartWith(labels: string[]): { chart: SeatingChart; selected: string[] } {
  const selected = [...labels];
  const objects = () =>
    selected.map((label) => ({ label, labels: { own: label }, objectType: 'Seat' }));
  return {
    selected,
    chart: {
      holdToken: 'h',
      listSelectedObjects: async () => objects(),
    } as unknown as SeatingChart,
  };
}

/** A store that reads the chart's seats, as the page's late script makes it. */
function makeSelection(): SeatSelection {
  const selection = new SeatSelection();
  selection.readWith((objects) =>
    choicesOf(objects, { pricing: [], whole: [], coming: new Map(), nameOf: ({ label }) => label }),
  );
  return selection;
}

/** Everything that was asked of the chart has been answered. */
const settled = () =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });

test('a chart that is taken down in the middle of a hold does not make the next booking wait', async () => {
  for (const leave of ['renew', 'destroy'] as const) {
    const selection = new SeatSelection();
    selection.callbacks.onHoldCallsInProgress();
    selection[leave]();
    const began = performance.now();
    await selection.settle();
    expect(performance.now() - began).toBeLessThan(1_000);
  }
});

test('seats that this page has asked to be booked stay in its list until there is an answer', async () => {
  const selection = makeSelection();
  const { chart, selected } = chartWith(['A-1', 'A-2']);
  selection.callbacks.onChartRendered(chart);
  await settled();
  keepBooking({
    event_id: 'serata',
    hold_token: 'h',
    selected_objects: [{ object_id: 'A-1' }, { object_id: 'A-2' }],
  });
  selected.length = 0;
  for (const label of ['A-1', 'A-2']) selection.callbacks.onSelectedObjectBooked({ label });
  // Asked once more by the button: the chart has none, the order has them.
  expect((await selection.settle()).choices).toEqual([]);
  expect(selection.snapshot()).toMatchObject({
    choices: [{ object_id: 'A-1' }, { object_id: 'A-2' }],
    booked_elsewhere: false,
  });
  forgetBooking();
  await selection.settle();
  expect(selection.snapshot().choices).toEqual([]);
});

test('seats that were booked in another tab leave the list, and the page knows why until seats are chosen again', async () => {
  const selection = makeSelection();
  const { chart, selected } = chartWith(['A-1']);
  selection.callbacks.onChartRendered(chart);
  await settled();
  selected.length = 0;
  selection.callbacks.onSelectedObjectBooked({ label: 'A-1' });
  await settled();
  expect(selection.snapshot()).toMatchObject({ choices: [], booked_elsewhere: true });
  selected.push('A-3');
  selection.callbacks.onObjectSelected();
  await settled();
  expect(selection.snapshot()).toMatchObject({
    choices: [{ object_id: 'A-3' }],
    booked_elsewhere: false,
  });
});
