/** The page's store of what is selected, when its chart goes away. */
import { expect, test } from 'vitest';
import { SeatSelection } from '#apps/booking/selection.ts';

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
