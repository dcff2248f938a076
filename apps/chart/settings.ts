/**
 * Reads what a page has set: null is the same as not set, and a function may come as its text, as
 * the vendor's wrappers for phones send it.
 */
import type { CategoryName, ChangeableConfig, ChartConfig } from './config.ts';

/** The options that are functions, beside the callbacks, which begin with `on`. */
const functionNames: ReadonlySet<string> = new Set<keyof ChartConfig>([
  'isObjectSelectable',
  'isObjectVisible',
  'objectColor',
  'objectIcon',
  'objectLabel',
  'popoverInfo',
  'priceFormatter',
  'sectionColor',
  'tooltipInfo',
]);

const isFunctionName = (name: string) =>
  functionNames.has(name) || (name.startsWith('on') && /^on[A-Z]/.test(name));

type PageFunction = (...values: never[]) => unknown;

/** How an arrow, a function or a method begins; a text that begins otherwise is never run. */
const arrow = /^(?:async\b\s*)?(?:[\w$]+|\([^]*?\))\s*=>/;
const plain = /^(?:async\s+)?function\b/;
const method = /^(?:async\s+)?[\w$]+\s*\([^]*?\)\s*\{/;

/** @throws where the page's policy forbids it, or the text is no function */
function compile(text: string): PageFunction {
  const source = text.trim();
  const isWhole = arrow.test(source) || plain.test(source);
  if (!isWhole && !method.test(source)) throw new SyntaxError('the text is no function');
  const pageSource = `return ${isWhole ? `(${source}\n)` : `Object.values({${source}\n})[0]`}`;
  const made: unknown = new Function(pageSource)();
  if (typeof made !== 'function') throw new SyntaxError('the text is no function');
  return made as PageFunction;
}

/** One chart's settings; each text of a function is compiled, and complained about, once. */
export class Settings {
  /**
   * The latest value of each option that should be a function but is not, with the function
   * compiled from it.
   */
  readonly #made = new Map<string, { value: unknown; made: PageFunction | undefined }>();
  #faults: string[] = [];

  /** The page's settings, overridden by those of changeConfig(). */
  read(config: ChartConfig, changes: ChangeableConfig): ChartConfig {
    const all: Record<string, unknown> = { ...config, ...changes };
    // Read for every seat that a page is asked about, so that each step counts.
    for (const name in all) {
      const value = all[name];
      if (value === null) all[name] = undefined;
      else if (typeof value !== 'function' && isFunctionName(name))
        all[name] = this.functionOf(name, value);
    }
    const { pricing } = all as ChartConfig;
    if (typeof pricing === 'object' && pricing && 'priceFormatter' in pricing)
      all['pricing'] = {
        ...pricing,
        priceFormatter: this.functionOf('pricing.priceFormatter', pricing.priceFormatter),
      };
    if (this.#faults.length > 0)
      console.warn(`chart.js: left out, because they are no functions: ${this.#faults.join(', ')}`);
    this.#faults = [];
    return all as ChartConfig;
  }

  /** The function that the page has set under a name, itself or as text. */
  functionOf(name: string, value: unknown): PageFunction | undefined {
    if (typeof value === 'function') return value as PageFunction;
    if (value === undefined || value === null) return undefined;
    const known = this.#made.get(name);
    if (known && known.value === value) return known.made;
    let made: PageFunction | undefined;
    try {
      made = compile(String(value));
    } catch (error) {
      this.#faults.push(`${name} (${(error as Error).name})`);
    }
    this.#made.set(name, { value, made });
    return made;
  }
}

const isName = (one: unknown): one is CategoryName =>
  typeof one === 'string' || typeof one === 'number';
const isObject = (one: unknown) => typeof one === 'object' && one !== null;
const isListOf = (list: unknown, isOne: (one: unknown) => boolean) =>
  Array.isArray(list) && list.every(isOne);
const isNumber = (value: unknown) => typeof value === 'number' && !Number.isNaN(value);
const isFunction = (value: unknown) => typeof value === 'function' || typeof value === 'string';
const areNames = (list: unknown) => isListOf(list, isName);
const arePrices = (value: unknown) =>
  isListOf(value, isObject) ||
  (isObject(value) && isListOf(Reflect.get(Object(value), 'prices'), isObject));

const checks: Record<keyof ChangeableConfig, (value: unknown) => boolean> = {
  pricing: arePrices,
  availableCategories: areNames,
  unavailableCategories: areNames,
  filteredCategories: areNames,
  maxSelectedObjects: (value) => isNumber(value) || isListOf(value, isObject),
  numberOfPlacesToSelect: isNumber,
  channels: (list) => isListOf(list, (one) => typeof one === 'string'),
  extraConfig: () => true,
  objectColor: isFunction,
  objectLabel: isFunction,
};

/** @throws TypeError naming the first option of changeConfig() that has a wrong type */
export function checkChange(change: ChangeableConfig): void {
  if (!isObject(change)) throw new TypeError('changeConfig(): an object expected');
  for (const [name, isRight] of Object.entries(checks)) {
    const value = change[name as keyof ChangeableConfig];
    if (value !== undefined && value !== null && !isRight(value))
      throw new TypeError(`changeConfig(): ${name} has a wrong type`);
  }
}
