/**
 * The least total of a small cart by trying every way to use its rules, written from RULES P6 and
 * not from the product's own search.
 */
import type {
  AddingRule,
  CartTicket,
  EveryRule,
  GroupRule,
  PackageRule,
  PriceFacts,
  PriceRule,
  UsingRule,
} from '#server/domain/price/rule.ts';

type Bundle = CartTicket[];

function isOn({ id, kind, scope, opened_by_code }: PriceRule, facts: PriceFacts): boolean {
  const isShut = kind === 'code' || kind === 'convention' || opened_by_code === true;
  if (isShut && !facts.opened.includes(id)) return false;
  if (scope.channels && !scope.channels.includes(facts.channel)) return false;
  if (scope.from !== null && facts.now < scope.from) return false;
  return scope.until === null || facts.now < scope.until;
}

function takes({ scope }: PriceRule, ticket: CartTicket): boolean {
  return (
    ticket.list_cents > 0 &&
    (!scope.categories || scope.categories.includes(ticket.category)) &&
    (!scope.ticket_types || scope.ticket_types.includes(ticket.ticket_type))
  );
}

function off(rule: AddingRule, ticket: CartTicket): number {
  const cents =
    rule.percent === null ? rule.off_cents! : Math.round((ticket.list_cents * rule.percent) / 100);
  return Math.min(cents, ticket.list_cents);
}

/** Every lawful set of adding rules for one ticket. */
function additions(adding: AddingRule[], ticket: CartTicket): AddingRule[][] {
  const here = adding.filter((rule) => takes(rule, ticket));
  const sets = Array.from({ length: 1 << here.length }, (_, bits) =>
    here.filter((__, at) => bits & (1 << at)),
  );
  return sets.filter((set) => set.length < 2 || set.every(({ meets }) => meets));
}

function sumOff(set: AddingRule[], ticket: CartTicket): number {
  return set.reduce((sum, rule) => sum + off(rule, ticket), 0);
}

/** The most that may come on top of a using rule. */
function onTop(rule: UsingRule, adding: AddingRule[], ticket: CartTicket): number {
  if (!rule.meets) return 0;
  const meeting = adding.filter(({ meets }) => meets);
  const sums = additions(meeting, ticket).map((set) => sumOff(set, ticket));
  return Math.max(...sums.filter((cents) => cents < ticket.list_cents));
}

/** The least that a ticket costs which no rule uses; infinite where one must. */
function alone(ticket: CartTicket, adding: AddingRule[], claimed: EveryRule[]): number {
  const prices = additions(adding, ticket)
    .filter(
      (set) =>
        sumOff(set, ticket) >= ticket.list_cents ||
        claimed.every((rule) => set.some((add) => !add.meets || !rule.meets)),
    )
    .map((set) => withFee(Math.max(0, ticket.list_cents - sumOff(set, ticket)), ticket));
  return Math.min(Infinity, ...prices);
}

function withFee(price: number, ticket: CartTicket): number {
  return price === 0 ? 0 : price + ticket.fee_cents;
}

/** What the tickets of one rule cost together; infinite where they do not fit it. */
function costOf(rule: UsingRule, used: Bundle[], adding: AddingRule[]): number {
  const tickets = used.flat();
  if (tickets.length === 0) return 0;
  if (rule.kind === 'package') return packageCost(rule, tickets, adding);
  return rule.kind === 'group'
    ? groupCost(rule, tickets, adding)
    : everyCost(rule, tickets, adding);
}

function everyCost(rule: EveryRule, tickets: CartTicket[], adding: AddingRule[]): number {
  const { n, k, grouped, spread, price_cents, most } = rule;
  const groups = Math.min(most, Math.floor(tickets.length / n));
  if (grouped === 'best' && tickets.length !== groups * n) return Infinity;
  const isReduced = (at: number) =>
    grouped === 'best' ? at % n >= n - k : at >= tickets.length - groups * k;
  return tickets.reduce((sum, ticket, at) => {
    const cut = isReduced(at) ? Math.min(price_cents, ticket.list_cents) : ticket.list_cents;
    const price = Math.max(0, cut - onTop(rule, adding, ticket));
    return sum + (spread ? price + ticket.fee_cents : withFee(price, ticket));
  }, 0);
}

function groupCost(rule: GroupRule, tickets: CartTicket[], adding: AddingRule[]): number {
  if (tickets.length < rule.from_places) return Infinity;
  const most = rule.free_every === null ? 0 : Math.floor(tickets.length / (rule.free_every + 1));
  const sums = Array.from({ length: most + 1 }, (_, free) =>
    tickets.reduce((sum, ticket, at) => {
      if (at >= tickets.length - free) return sum;
      const cut =
        rule.percent === null
          ? Math.min(rule.price_cents!, ticket.list_cents)
          : ticket.list_cents - Math.round((ticket.list_cents * rule.percent) / 100);
      return sum + withFee(Math.max(0, cut - onTop(rule, adding, ticket)), ticket);
    }, 0),
  );
  return Math.min(...sums);
}

/** Tries every way to give the tickets to the package's parts. */
function packageCost(rule: PackageRule, tickets: CartTicket[], adding: AddingRule[]): number {
  const { parts, price_cents, most } = rule;
  const size = parts.reduce((sum, { count }) => sum + count, 0);
  const sets = tickets.length / size;
  if (!Number.isInteger(sets) || sets > most) return Infinity;
  const fits = (at: number, left: number[]): boolean =>
    at === tickets.length ||
    parts.some(
      ({ ticket_types }, nth) =>
        left[nth]! > 0 &&
        ticket_types.includes(tickets[at]!.ticket_type) &&
        fits(at + 1, left.with(nth, left[nth]! - 1)),
    );
  if (
    !fits(
      0,
      parts.map(({ count }) => count * sets),
    )
  )
    return Infinity;
  const mostOff = Math.floor(price_cents / size) - 1;
  return tickets.reduce(
    (sum, ticket) => sum + ticket.fee_cents - Math.min(onTop(rule, adding, ticket), mostOff),
    sets * price_cents,
  );
}

/** Of tickets at one price, names decide which counts as the cheaper one. */
function nameOf([ticket]: Bundle): string {
  return `${ticket!.category}|${ticket!.ticket_type}`;
}

function inOrder(cart: readonly CartTicket[]): Bundle[] {
  const bundles = Map.groupBy(cart, (ticket) => ticket.whole ?? ticket);
  const mean = (bundle: Bundle) =>
    bundle.reduce((sum, { list_cents }) => sum + list_cents, 0) / bundle.length;
  return [...bundles.values()]
    .map((bundle) => bundle.toSorted((a, b) => b.list_cents - a.list_cents))
    .toSorted((a, b) => mean(b) - mean(a) || (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** The least lawful total, in cents, surcharges included. */
export function leastTotal(
  rules: readonly PriceRule[],
  cart: readonly CartTicket[],
  facts: PriceFacts,
): number {
  const on = rules.filter((rule) => isOn(rule, facts));
  const isAdding = (rule: PriceRule): rule is AddingRule =>
    rule.kind === 'code' || rule.kind === 'convention';
  const adding = on.filter(isAdding);
  const using = on.filter((rule): rule is UsingRule => !isAdding(rule));
  const worth = using.filter((rule) => {
    if (rule.kind !== 'every' || rule.least_cents === null) return true;
    const own = cart.filter((ticket) => takes(rule, ticket));
    return own.reduce((sum, { list_cents }) => sum + list_cents, 0) >= rule.least_cents;
  });
  const bundles = inOrder(cart);
  const ways = bundles.map((bundle) => [
    null,
    ...worth.filter((rule) => bundle.every((ticket) => takes(rule, ticket))),
  ]);
  let least = Infinity;
  const chosen: (UsingRule | null)[] = [];
  const choose = (at: number): void => {
    if (at < bundles.length) {
      for (const rule of ways[at]!) {
        chosen[at] = rule;
        choose(at + 1);
      }
      return;
    }
    let sum = 0;
    for (const [nth, bundle] of bundles.entries()) {
      if (chosen[nth] !== null) continue;
      const claimed = ways[nth]!.filter(
        (rule): rule is EveryRule => rule?.kind === 'every' && rule.grouped === 'cheapest',
      );
      for (const ticket of bundle) sum += alone(ticket, adding, claimed);
      if (sum >= least) return;
    }
    for (const rule of worth)
      sum += costOf(
        rule,
        bundles.filter((_, nth) => chosen[nth] === rule),
        adding,
      );
    least = Math.min(least, sum);
  };
  choose(0);
  const total = least === 0 ? 0 : least + (facts.per_order?.fee_cents ?? 0);
  // Stripe takes nothing below fifty cents.
  return facts.channel === 'site' && total < 50 ? 0 : total;
}
