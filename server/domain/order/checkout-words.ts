/** The text beside the button of Stripe's page. */
import {
  noticesAbout,
  traitsOf,
  type NoticeKind,
  type PlaceTrait,
} from '#server/domain/seat/notices.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import { priceWords } from '#server/domain/price/pricing.ts';
import { seatName, wholeName, wholeWords } from '#server/domain/seat/seat-name.ts';
import { cutText } from '#server/domain/text/plain-text.ts';
import { formatLongDate } from '#server/domain/time/dates.ts';
import type { PlannedOrder, SelectedObject } from './order.ts';
import { reasonsOf } from './priced-order.ts';

type HallObject = Parameters<typeof seatName>[0] & Omit<Parameters<typeof traitsOf>[0], 'whole'>;

interface Chosen {
  /** By label. */
  objects: ReadonlyMap<string, HallObject>;
  selected: readonly SelectedObject[];
  plan: PlannedOrder;
  /** What the buyer may give back. */
  refunds: string;
}

/** Less than the 1,200 characters that Stripe accepts. */
const longestSummary = 1_180;
/** So that names of rules leave room for the seats. */
const longestReductions = 300;

/**
 * The text beside the button of Stripe's page: the prices alone would not show the buyer a wrong
 * seat or evening.
 */
export function checkoutWords(
  event: { title: string; starts_at: number; nominative: number },
  { objects, selected, plan, refunds }: Chosen,
): string {
  const chosen = selected.map(({ object_id, ticket_type }) => {
    const object = requireValue(objects.get(object_id), 'seat');
    const lines = plan.lines.filter(
      (line) =>
        line.object_label === object_id && [undefined, line.ticket_type].includes(ticket_type),
    );
    return { ...object, quantity: lines.length, places: lines[0]?.whole_size ?? 0 };
  });
  const kinds = chosen.flatMap((object): NoticeKind[] => traitsIn(object));
  const notices = noticesAbout(new Set(event.nominative === 1 ? ['nominative', ...kinds] : kinds));
  const seats = chosen.map(nameWithTags);
  const rest = [
    ...reductionWords(plan),
    `Totale ${priceWords(plan.total_cents, plan)}.`,
    ...notices.map((notice) => notice.chosen),
    refunds,
  ].join(' ');
  const what = `${event.title}, ${formatLongDate(event.starts_at)} – ${seats.join('; ')}`;
  return `${cutText(what, longestSummary - rest.length - 2)}. ${rest}`;
}

/** "Riduzioni: 3x2 −25,00 €, Famiglia −10,00 €." */
function reductionWords({ lines }: PlannedOrder): string[] {
  const off = new Map<string, number>();
  for (const { name, off_cents } of lines.flatMap(reasonsOf))
    off.set(name, (off.get(name) ?? 0) + off_cents);
  const each = [...off].map(([name, cents]) => `${name} −${formatEuro(cents)}`);
  return each.length === 0 ? [] : [`Riduzioni: ${cutText(each.join(', '), longestReductions)}.`];
}

/** `places`: how many an object sold whole has; 0: it is not sold whole. */
type ChosenObject = HallObject & { quantity: number; places: number };

function traitsIn(object: ChosenObject): PlaceTrait[] {
  return traitsOf({ ...object, whole: object.places > 0 });
}

/**
 * Like "Palchi I, Palco 1, posto 2 (visibilità limitata)", "Loggione, posto unico (3)" or "Tavolo
 * 4, intero: 10 posti".
 */
function nameWithTags(object: ChosenObject): string {
  const { kind, quantity, places } = object;
  const tags = noticesAbout(new Set(traitsIn(object))).flatMap(({ tag }) => tag ?? []);
  const beside = quantity > 1 && places === 0 ? [String(quantity), ...tags] : tags;
  const name =
    places === 0
      ? seatName(object)
      : wholeWords(kind, { name: wholeName(object), paid: quantity, places });
  return beside.length === 0 ? name : `${name} (${beside.join(', ')})`;
}
