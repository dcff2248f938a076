/**
 * What is measured during a visit: metrics, page kinds and the steps of a scale; nothing that
 * identifies a visitor.
 */
import { legalNameOf } from './legal-names.ts';

/** A letter, then up to 63 letters, digits, `_`, `-` or `.` (RULES W7). */
export const eventName = /^[A-Za-z][\w.-]{0,63}$/;

export const vitals = ['CLS', 'FID', 'INP', 'LCP'] as const;
export type Vital = (typeof vitals)[number];
/** The named product events of RULES W7. */
export const productEvents = [
  'seats_selected',
  'seats_deselected',
  'book_button_clicked',
  'checkout_session_started',
  'description_opened',
] as const;
export const visitEvents = ['pageview', 'error', ...productEvents] as const;
export type VisitEvent = (typeof visitEvents)[number];

/**
 * Where each vital stops being good and where it becomes poor, as web.dev defines it; CLS has no
 * unit, the others are milliseconds. The steps between are ours.
 */
const vitalScales: Record<Vital, { good: number; poor: number; steps: readonly number[] }> = {
  CLS: { good: 0.1, poor: 0.25, steps: [0.01, 0.05, 0.1, 0.25, 0.5] },
  FID: { good: 100, poor: 300, steps: [50, 100, 200, 300, 600] },
  INP: { good: 200, poor: 500, steps: [50, 100, 200, 300, 500, 1_000] },
  LCP: { good: 2_500, poor: 4_000, steps: [500, 1_000, 1_500, 2_000, 2_500, 4_000, 8_000] },
};

function isVital(name: string): name is Vital {
  return (vitals as readonly string[]).includes(name);
}

const pageKinds = ['home', 'event', 'order', 'legal', 'other'] as const;
type PageKind = (typeof pageKinds)[number];

/** The kind of a public page, by its whole address or its path. */
export function pageKind(address: string): PageKind {
  const path = address.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/[?#].*$/, '');
  if (path === '' || path === '/') return 'home';
  if (/^\/event\/[^/]+/.test(path)) return 'event';
  if (/^\/orders\/[^/]+/.test(path)) return 'order';
  return legalNameOf(path) === null ? 'other' : 'legal';
}

/**
 * Removes order ids from an address or a text before it leaves the browser, because the id of an
 * order opens its tickets.
 */
export function withoutOrderIds(text: string): string {
  return text
    .replace(/\/orders\/[^/?#\s"'\\]+/g, '/orders/:orderId')
    .replace(/\bcs_(test|live)_\w+/g, 'cs_$1');
}

/**
 * Which counter an event raises; null if we do not count it, so that no stranger can fill the
 * table with names.
 */
export function countedAs(
  name: string,
  value: number | undefined,
): { name: string; step: string } | null {
  if ((visitEvents as readonly string[]).includes(name)) return { name, step: '' };
  if (!isVital(name) || value === undefined || !(value >= 0)) return null;
  const step = vitalScales[name].steps.find((most) => value <= most);
  return { name, step: step === undefined ? 'more' : String(step) };
}

interface VisitCount {
  name: string;
  step: string;
  n: number;
}

interface VitalSummary {
  name: Vital;
  n: number;
  /**
   * Three of four visits were at most this slow; null: they were slower than the last step, or
   * there were no visits.
   */
  p75: number | null;
  good: number;
  poor: number;
}

/** Sums up the counters of one vital, step by step. */
export function summariseVital(name: Vital, counts: readonly VisitCount[]): VitalSummary {
  const { good, poor, steps } = vitalScales[name];
  const ofStep = (step: string) =>
    counts
      .filter((count) => count.name === name && count.step === step)
      .reduce((sum, count) => sum + count.n, 0);
  const each = [
    ...steps.map((most) => ({ most, n: ofStep(String(most)) })),
    { most: Number.POSITIVE_INFINITY, n: ofStep('more') },
  ];
  const n = each.reduce((sum, step) => sum + step.n, 0);
  let seen = 0;
  const third = each.find((step) => {
    seen += step.n;
    return n > 0 && seen >= n * 0.75;
  });
  const upTo = (most: number) =>
    each.filter((step) => step.most <= most).reduce((sum, step) => sum + step.n, 0);
  return {
    name,
    n,
    p75: third === undefined || third.most === Number.POSITIVE_INFINITY ? null : third.most,
    good: upTo(good),
    poor: n - upTo(poor),
  };
}
