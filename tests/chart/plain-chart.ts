/** A chart on a page without React, with settings that may hold functions: what a shop of any make would write. */
import type { Visitor } from './theatre.ts';

const name = (value: string) => JSON.stringify(value);

/**
 * Takes the visitor's chart off the page and puts one with these settings (JavaScript text of an object) in its place as `chart`.
 * `said` gathers what the callbacks are told: their name and the labels or values they got.
 */
export async function openPlainChart(
  { ask, page }: Visitor,
  settings: string,
  kind: 'SeatingChart' | 'EventManager' = 'SeatingChart',
): Promise<void> {
  await ask('globalThis.hideChart?.()');
  await page.waitForFunction(
    'document.querySelector("#page").childElementCount === 0 && !globalThis.plain || globalThis.plain',
  );
  await ask(`(() => {
    if (globalThis.plain) chart.destroy();
    globalThis.plain = true;
    document.querySelector('#page').style.display = 'none';
    globalThis.said = [];
    const show = (value) => Array.isArray(value) ? value.map(show).join('+') : value?.ticketType ?? value?.label ?? value?.token ?? value?.name ?? (typeof value === 'object' ? '' : String(value));
    const say = (name) => (...values) => said.push([name, ...values.map(show)].join(' ').trim());
    const names = ['ObjectSelected', 'ObjectDeselected', 'ObjectClicked', 'HoldSucceeded', 'HoldFailed', 'ReleaseHoldSucceeded', 'ReleaseHoldFailed', 'SessionInitialized', 'SelectionValid', 'SelectionInvalid',
      'FilteredCategoriesChanged', 'BestAvailableSelected', 'BestAvailableSelectionFailed', 'ChartRendered', 'ChartRenderingFailed', 'ChartRerenderingStarted', 'HoldCallsInProgress', 'HoldCallsComplete', 'SelectedObjectUnavailable', 'FloorChanged', 'FullScreenOpened', 'FullScreenClosed'];
    document.querySelector('form')?.remove();
    const container = document.body.appendChild(document.createElement('form'));
    container.style.height = '640px';
    const common = { container, workspaceKey: globalThis.ask.chart.workspaceKey, event: globalThis.ask.chart.event, pricing: globalThis.ask.chart.pricing, language: 'it' };
    globalThis.chart = new seatsio[${name(kind)}]({ ...common, ...Object.fromEntries(names.map((name) => ['on' + name, say(name)])), ...(${settings}) }).render();
  })()`);
  await page.waitForFunction('chart.state === "RENDERED" || chart.state === "FAILED"');
}
