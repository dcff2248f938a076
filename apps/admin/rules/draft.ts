/** A price rule as its form holds it: texts that are still being typed. */
import { readEuro } from '#apps/admin/kit/form/euro-field.tsx';
import type { SaleChannel } from '#server/domain/price/rule.ts';
import type { TypedRule, TypedScope } from '#server/domain/price/typed-rule.ts';

export type RuleKind = TypedRule['kind'];

export interface PartDraft {
  /** React's key of the row. */ key: number;
  ticket_types: readonly string[];
  count: string;
}

export interface RuleDraft {
  kind: RuleKind;
  name: string;
  /** Nothing chosen: all. */
  categories: readonly string[];
  ticket_types: readonly string[];
  channel: 'all' | SaleChannel;
  first_day: string;
  last_day: string;
  n: string;
  k: string;
  most: string;
  /** What the cheapest tickets cost: nothing, or the price. */
  reduced: 'free' | 'price';
  price: string;
  grouped: 'cheapest' | 'best';
  spread: boolean;
  least: string;
  parts: readonly PartDraft[];
  from_places: string;
  benefit: 'percent' | 'price';
  percent: string;
  free_every: string;
  meets: boolean;
  opened_by_code: boolean;
}

export const firstDraft: RuleDraft = {
  kind: 'every',
  name: '',
  categories: [],
  ticket_types: [],
  channel: 'all',
  first_day: '',
  last_day: '',
  n: '3',
  k: '1',
  most: '5',
  reduced: 'free',
  price: '',
  grouped: 'cheapest',
  spread: true,
  least: '',
  parts: [
    { key: 1, ticket_types: [], count: '2' },
    { key: 2, ticket_types: [], count: '2' },
  ],
  from_places: '20',
  benefit: 'percent',
  percent: '10',
  free_every: '',
  meets: false,
  opened_by_code: false,
};

/** A text that is no number becomes NaN, which no bound allows. */
export function typedOfDraft(draft: RuleDraft): TypedRule {
  const base = { name: draft.name.trim(), scope: scopeOf(draft), meets: draft.meets };
  const isPercent = draft.benefit === 'percent';
  const percent = isPercent ? readCount(draft.percent) : null;
  const amount = isPercent ? null : readCents(draft.price);
  if (draft.kind === 'code' || draft.kind === 'convention')
    return { ...base, kind: draft.kind, percent, off_cents: amount };
  return typedUsing(draft, {
    ...base,
    percent,
    amount,
    ...(draft.opened_by_code && { opened_by_code: true }),
  });
}

type Typed = Pick<TypedRule, 'name' | 'scope' | 'meets'> & { opened_by_code?: boolean };

function typedUsing(
  draft: RuleDraft,
  { percent, amount, ...base }: Typed & { percent: number | null; amount: number | null },
): TypedRule {
  if (draft.kind === 'every')
    return {
      ...base,
      kind: 'every',
      n: readCount(draft.n),
      k: readCount(draft.k),
      price_cents: draft.reduced === 'free' ? 0 : readCents(draft.price),
      grouped: draft.grouped,
      spread: draft.spread,
      least_cents: draft.least.trim() === '' ? null : readCents(draft.least),
      most: readCount(draft.most),
    };
  if (draft.kind === 'package')
    return {
      ...base,
      kind: 'package',
      parts: draft.parts.map(({ ticket_types, count }) => ({
        ticket_types: [...ticket_types],
        count: readCount(count),
      })),
      price_cents: readCents(draft.price),
      most: readCount(draft.most),
    };
  return {
    ...base,
    kind: 'group',
    from_places: readCount(draft.from_places),
    percent,
    price_cents: amount,
    free_every: draft.free_every.trim() === '' ? null : readCount(draft.free_every),
  };
}

function scopeOf(draft: RuleDraft): TypedScope {
  const chosen = (names: readonly string[]) => (names.length === 0 ? null : [...names]);
  return {
    categories: chosen(draft.categories),
    ticket_types: draft.kind === 'package' ? null : chosen(draft.ticket_types),
    channels: draft.channel === 'all' ? null : [draft.channel],
    first_day: draft.first_day || null,
    last_day: draft.last_day || null,
  };
}

/** The form for a rule that is there. */
export function ruleDraftOf(rule: TypedRule): RuleDraft {
  const { scope } = rule;
  const [channel = 'all', ...others] = scope.channels ?? [];
  return {
    ...firstDraft,
    kind: rule.kind,
    name: rule.name,
    meets: rule.meets,
    opened_by_code: 'opened_by_code' in rule && rule.opened_by_code === true,
    categories: scope.categories ?? [],
    ticket_types: scope.ticket_types ?? [],
    channel: others.length > 0 ? 'all' : channel,
    first_day: scope.first_day ?? '',
    last_day: scope.last_day ?? '',
    ...fieldsOf(rule),
  };
}

function fieldsOf(rule: TypedRule): Partial<RuleDraft> {
  if (rule.kind === 'every')
    return {
      n: String(rule.n),
      k: String(rule.k),
      most: String(rule.most),
      reduced: rule.price_cents === 0 ? 'free' : 'price',
      price: rule.price_cents === 0 ? '' : sayEuro(rule.price_cents),
      grouped: rule.grouped,
      spread: rule.spread,
      least: rule.least_cents === null ? '' : sayEuro(rule.least_cents),
    };
  if (rule.kind === 'package')
    return {
      parts: rule.parts.map(({ ticket_types, count }, nth) => ({
        key: nth + 1,
        ticket_types,
        count: String(count),
      })),
      price: sayEuro(rule.price_cents),
      most: String(rule.most),
    };
  if (rule.kind !== 'group') return benefitOf(rule.percent, rule.off_cents);
  return {
    ...benefitOf(rule.percent, rule.price_cents),
    from_places: String(rule.from_places),
    free_every: rule.free_every === null ? '' : String(rule.free_every),
  };
}

function benefitOf(percent: number | null, cents: number | null): Partial<RuleDraft> {
  return {
    benefit: percent === null ? 'price' : 'percent',
    percent: percent === null ? '' : String(percent),
    price: cents === null ? '' : sayEuro(cents),
  };
}

export function readCount(text: string): number {
  return /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

function readCents(text: string): number {
  return readEuro(text) ?? Number.NaN;
}

function sayEuro(cents: number): string {
  return (cents / 100).toFixed(2).replace('.', ',');
}
