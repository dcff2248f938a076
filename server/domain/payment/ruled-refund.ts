/**
 * Refunds of an order whose prices rules made (RULES R7): what is given back leaves the house the
 * least price of the tickets that remain, under the order's own rules and list prices.
 */
import { priceCart } from '#server/domain/price/cart.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import type { CartTicket, PriceFacts, PriceRule } from '#server/domain/price/rule.ts';
import { shareOut } from '#server/domain/price/share.ts';

/** A price and its fee, in cents. */
export interface Sum {
  price_cents: number;
  fee_cents: number;
}

/**
 * One line of the order: what was paid for it, and the names of the rules that lowered it. `back`:
 * what a refund that names it gives, or would give if it is only asked for; null: it remains.
 */
export interface RuledLine {
  line_id: string;
  ticket: CartTicket;
  names: readonly string[];
  paid: Sum;
  back: (Sum & { asked: boolean }) | null;
}

/** The rules by which an order was sold. */
export interface Ruled {
  rules: readonly PriceRule[];
  facts: PriceFacts;
  lines: readonly RuledLine[];
}

interface RuledAsk {
  line_ids: readonly string[];
  /** Paid and not given back yet. */
  left_cents: number;
  with_fees: boolean;
  /** A cancelled event gives back what was paid, whatever remains. */
  cancelled: boolean;
}

export interface RuledShare {
  shares: Map<string, Sum>;
  /** Why it is less than was paid, in Italian; null: it is not. */
  because: string | null;
}

const nothing: Sum = { price_cents: 0, fee_cents: 0 };

function sumOf(sums: readonly Sum[]): Sum {
  return sums.reduce(
    (all, { price_cents, fee_cents }) => ({
      price_cents: all.price_cents + price_cents,
      fee_cents: all.fee_cents + fee_cents,
    }),
    nothing,
  );
}

/** What these tickets cost at least, and the rules that then lower their prices. */
function leastOf({ rules, facts }: Ruled, lines: readonly RuledLine[]) {
  const cart = lines.map(({ ticket }) => ticket);
  const priced = priceCart(rules, cart, facts).lines;
  const names = new Set(priced.flatMap(({ reasons }) => reasons.map(({ name }) => name)));
  return { ...sumOf(priced), names };
}

/** What a refund of these lines gives, split over them. */
export function shareByRules(ruled: Ruled, ask: RuledAsk): RuledShare {
  const chosen = ruled.lines.filter(({ line_id }) => ask.line_ids.includes(line_id));
  if (chosen.length === 0) return { shares: new Map(), because: null };
  const others = ruled.lines.filter((line) => !chosen.includes(line));
  const isAsked = others.some(({ back }) => back?.asked);
  // A wish that waits may be granted or refused: the sum must be right in both cases.
  const either = [false, true].slice(isAsked ? 0 : 1).map((granted) => {
    const gone = others.filter(({ back }) => back !== null && (granted || !back.asked));
    return backFor(ruled, { ...ask, gone, rest: others.filter((line) => !gone.includes(line)) });
  });
  const least = either.reduce((a, b) => (amountOf(b) < amountOf(a) ? b : a));
  const prices = spreadOver(chosen, least.price_cents, ({ paid }) => paid.price_cents);
  const fees = spreadOver(chosen, least.fee_cents, ({ paid }) => paid.fee_cents);
  const shares = chosen.map(
    ({ line_id }, at) => [line_id, { price_cents: prices[at]!, fee_cents: fees[at]! }] as const,
  );
  return { shares: new Map(shares), because: ask.cancelled ? null : wordsOf(least) };
}

function amountOf({ price_cents, fee_cents }: Sum): number {
  return price_cents + fee_cents;
}

interface Remaining extends RuledAsk {
  gone: readonly RuledLine[];
  rest: readonly RuledLine[];
}

/** The sum of the refund, and what remains of the order. */
interface Back extends Sum {
  rest: readonly RuledLine[];
  least: Sum & { names: ReadonlySet<string> };
}

function backFor(ruled: Ruled, ask: Remaining): Back {
  const { gone, rest, left_cents, with_fees, cancelled } = ask;
  const paid = sumOf(ruled.lines.map((line) => line.paid));
  const given = sumOf(gone.map(({ back }) => back ?? nothing));
  const restPaid = sumOf(rest.map((line) => line.paid));
  const least = cancelled ? { ...restPaid, names: new Set<string>() } : leastOf(ruled, rest);
  const room = {
    price_cents: paid.price_cents - given.price_cents - least.price_cents,
    fee_cents: paid.fee_cents - given.fee_cents - least.fee_cents,
  };
  const most = Math.min(left_cents, amountOf(room));
  const price_cents = Math.max(0, Math.min(room.price_cents, most));
  // Fees of all tickets that do not remain, those too that earlier refunds had no room for.
  const owed = paid.fee_cents - given.fee_cents - restPaid.fee_cents;
  const fee_cents = with_fees ? Math.max(0, Math.min(owed, most - price_cents)) : 0;
  return { price_cents, fee_cents, rest, least };
}

/**
 * Shares of a sum in proportion to what was paid for each line, none above it; what exceeds all of
 * it was kept from tickets given back before, and is shared by list price.
 */
function spreadOver(
  lines: readonly RuledLine[],
  cents: number,
  paidFor: (line: RuledLine) => number,
): number[] {
  const paid = lines.map(paidFor);
  const own = Math.min(
    cents,
    paid.reduce((sum, one) => sum + one, 0),
  );
  const listed = lines.map(({ ticket }) => Math.max(1, ticket.list_cents));
  const beyond = shareOut(cents - own, listed);
  return shareOut(own, paid).map((share, at) => share + beyond[at]!);
}

const counts = ['zero', 'un', 'due', 'tre', 'quattro', 'cinque', 'sei', 'sette', 'otto', 'nove'];

/** "Restano due biglietti: senza 3x2 costano 64,00 €.", where they cost more than was paid. */
function wordsOf({ rest, least, ...back }: Back): string | null {
  const isNothing = amountOf(back) === 0;
  const now = amountOf(least);
  if (rest.length === 0 || (!isNothing && now <= amountOf(sumOf(rest.map(({ paid }) => paid)))))
    return null;
  const lost = [...new Set(rest.flatMap(({ names }) => names))].filter(
    (name) => !least.names.has(name),
  );
  const without = lost.length === 0 ? '' : `senza ${lost.join(' e ')} `;
  const remain =
    rest.length === 1
      ? `Resta un biglietto: ${without}costa`
      : `Restano ${counts[rest.length] ?? rest.length} biglietti: ${without}costano`;
  const words = `${remain} ${formatEuro(now)}.`;
  return isNothing ? `Non viene restituito nulla. ${words}` : words;
}
