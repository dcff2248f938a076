/** What a page gives as functions: as text, as promises, of wrong types; and how a price is written meanwhile. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChangeableConfig, ChartConfig } from '#apps/chart/config.ts';
import { cheapest, PriceList } from '#apps/chart/places/pricing.ts';
import { Promised } from '#apps/chart/places/promised.ts';
import { priceRange } from '#apps/chart/places/objects.ts';
import type { Scene } from '#apps/chart/scene/scene.ts';
import { checkChange, Settings } from '#apps/chart/settings.ts';

const given = (value: object) => value as ChartConfig;
let warned: ReturnType<typeof vi.spyOn>;
const errors: unknown[] = [];

beforeEach(() => {
  warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.stubGlobal('reportError', (error: unknown) => errors.push(error));
  errors.length = 0;
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each([
  "(object, color) => (object ? 'red' : color)",
  "object => 'red'",
  "function objectColor(object) { return 'red' }",
  "objectColor(object, color = (1, 2)) { return 'red' }",
  "\n  ( object ) =>\n  { return 'red' } // the end",
])('a function that comes as the text %o works', (objectColor) => {
  const settings = new Settings();
  const read = () => settings.read({}, given({ objectColor })).objectColor!;
  expect(read()({} as never, 'blue', null)).toBe('red');
  expect(read()).toBe(read());
  expect(warned).not.toHaveBeenCalled();
});

test('every option that is a function may come as text, the callbacks and the prices’ own too; nothing else is run', () => {
  const text = '(one) => one';
  const functions =
    'isObjectSelectable isObjectVisible objectColor objectIcon objectLabel popoverInfo priceFormatter sectionColor tooltipInfo onObjectSelected onPlacesPrompt'.split(
      ' ',
    );
  const ran = '(() => { globalThis.ran = true })()';
  const others = {
    messages: { cancel: ran },
    loading: text,
    language: ran,
    extraConfig: { objectColor: text },
    selectedObjects: [text],
    pricing: { prices: [{ category: text, price: text }], priceFormatter: text },
  };
  const read = new Settings().read(
    given({ ...Object.fromEntries(functions.map((name) => [name, text])), ...others }),
    {},
  );
  for (const name of functions)
    expect([name, typeof Reflect.get(read, name)]).toEqual([name, 'function']);
  const { priceFormatter, ...pricing } = read.pricing as { priceFormatter: unknown };
  expect(priceFormatter).toBeTypeOf('function');
  expect({ ...read, pricing: { ...pricing, priceFormatter: text } }).toMatchObject(others);
  expect(globalThis).not.toHaveProperty('ran');
});

test('what is no function is left out with one warning for all, however often it is read', () => {
  const settings = new Settings();
  const wrong = {
    objectColor: 'globalThis.ran = true',
    objectLabel: '(() => { globalThis.ran = true })()',
    objectIcon: '(object) => {',
    sectionColor: 7,
    onObjectSelected: {},
    isObjectVisible: null,
  };
  for (let round = 0; round < 3; round += 1)
    for (const [name, value] of Object.entries(settings.read(given(wrong), {})))
      expect([name, value]).toEqual([name, undefined]);
  expect(warned).toHaveBeenCalledOnce();
  expect(warned.mock.calls[0]![0]).toMatch(/objectColor.*objectLabel.*objectIcon.*sectionColor/);
});

test('where the page’s policy forbids it, one warning says so and the default stays', () => {
  vi.stubGlobal('Function', function forbidden() {
    throw new EvalError('the policy forbids it');
  });
  const settings = new Settings();
  for (let round = 0; round < 3; round += 1)
    expect(settings.read(given({ objectColor: '(o) => 1', objectLabel: '(o) => 2' }), {})).toEqual(
      {},
    );
  expect(warned).toHaveBeenCalledOnce();
});

test.each<object>([
  { pricing: 'expensive' },
  { pricing: [null] },
  { pricing: { prices: 5 } },
  { availableCategories: 'Platea' },
  { unavailableCategories: 7 },
  { filteredCategories: [{}] },
  { maxSelectedObjects: 'many' },
  { maxSelectedObjects: NaN },
  { maxSelectedObjects: [null] },
  { numberOfPlacesToSelect: [] },
  { channels: 'press' },
  { channels: [1] },
  { objectColor: 5 },
  { objectLabel: {} },
])('changeConfig(%o) is refused before anything changes', (change) => {
  expect(() => checkChange({ extraConfig: 1, ...change })).toThrow(TypeError);
});

test('what may be changed passes, and null takes back', () => {
  for (const change of [
    { pricing: [{ category: 1, price: 5 }], maxSelectedObjects: 4, channels: [] },
    { pricing: { prices: [] }, maxSelectedObjects: [{ total: 4 }], numberOfPlacesToSelect: 2 },
    { filteredCategories: ['Platea', 2], objectColor: '(o) => 1', objectLabel: () => '' },
    { pricing: null, channels: null, objectColor: null, extraConfig: undefined },
  ])
    expect(() => checkChange(change as ChangeableConfig)).not.toThrow();
  for (const change of [null, undefined, 'x']) expect(() => checkChange(change as never)).toThrow();
});

/** One category of seats; the prices are read as the chart reads them. */
function priced(priceFormatter: unknown, promised: Promised) {
  const scene = { chart: { categories: [{ key: '1', label: 'Platea' }] } } as Scene;
  const prices = new PriceList(
    given({ priceFormatter, pricing: [{ category: 1, price: 25, originalPrice: 30 }] }),
    scene,
    { channelOf: () => undefined, promised },
  );
  const read = () => {
    const offers = prices.ofCategory(0);
    return [priceRange(offers), cheapest(offers)!.offer.formattedOriginal, prices.write(75)];
  };
  return { prices, read };
}
const euro = ['25,00\u00a0€', '30,00\u00a0€', '75,00\u00a0€'];

test('a promised price is written in euro until it comes, is asked once for each price, and then stays', async () => {
  const asked: number[] = [];
  let come = 0;
  const promised = new Promised(() => (come += 1));
  const formatter = async (price: number) => {
    asked.push(price);
    return `€ ${price}`;
  };
  const first = priced(formatter, promised);
  expect(first.read()).toEqual(euro);
  await vi.waitFor(() => expect(come).toBe(3));
  expect(first.read()).toEqual(['€ 25', '€ 30', '€ 75']);
  // As after changeConfig().
  expect(priced(formatter, promised).read()).toEqual(['€ 25', '€ 30', '€ 75']);
  expect(asked.toSorted()).toEqual([25, 30, 75]);
});

test.each([
  ['is refused', () => Promise.reject(new Error('no line'))],
  ['never comes', () => new Promise(() => {})],
  ['is no text', async () => ({})],
  ['is nothing', () => undefined],
])('a price that %s is written in euro, and nowhere as an object', async (_, formatter) => {
  const promised = new Promised(() => {});
  const { read } = priced(formatter, promised);
  expect(read()).toEqual(euro);
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  expect(read()).toEqual(euro);
});

test('a function for prices that throws is found out at once; one that throws later is written in euro', () => {
  const promised = new Promised(() => {});
  const broken = () => {
    throw new Error('broken');
  };
  expect(() => priced(broken, promised)).toThrow('broken');
  const late = (price: number) => (price < 50 ? `${price}` : broken());
  expect(priced(late, promised).read()).toEqual(['25', '30', euro[2]]);
  expect(errors).toHaveLength(1);
});

test('the texts of one place are kept for each of its states, for each function and each extraConfig', async () => {
  let come = 0;
  const promised = new Promised(() => (come += 1));
  let asked = 0;
  const info = async () => `text ${(asked += 1)}`;
  const textOf = (state: string, extra?: object) =>
    promised.textOf(info, { input: () => state, ask: info, extra });
  expect([textOf('free'), textOf('free'), textOf('taken')]).toEqual([null, null, null]);
  await vi.waitFor(() => expect(come).toBe(2));
  expect([textOf('free'), textOf('taken'), textOf('free')]).toEqual(['text 1', 'text 2', 'text 1']);
  expect([textOf('free', {}), asked]).toEqual([null, 3]);
});
