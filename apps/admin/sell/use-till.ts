/** The state of a till: basket, buyer, payment and sale. */
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { admitHold, readCounter, readTill, widenHold } from '#server/contract/counter.ts';
import { readBestWish } from '#server/domain/seat/best-wish.ts';
import { typedFaults } from '#server/domain/seat/typed-fault-words.ts';
import { readTypedSeats } from '#server/domain/seat/typed-seats.ts';
import { call } from '#apps/shared/api.ts';
import { keyOf } from '#apps/shared/query.ts';
import { basketOf, totalOf, type BasketLine, type Said, type Till } from './basket.ts';
import { bodyOfBuyer, noBuyer } from './buyer-draft.ts';
import type { Counter } from '#apps/admin/print/printed.tsx';
import {
  bodyOfReductions,
  goneAfter,
  noReductions,
  rulesOfReductions,
  withoutGone,
  type Reductions,
} from './reductions.ts';
import { useSeatsFromAddress } from './seats-from-address.ts';
import { useTillChart, type TillChart } from './use-till-chart.ts';
import { useSale, type Refused, type SaleBody } from './use-sale.ts';
import type { Exchanging } from '#apps/admin/sell/exchange/use-exchange.ts';
import { dealOf } from '#apps/admin/sell/exchange/sums.ts';
import type { Way } from './ways.ts';

export function useTill(till: Till, { may_sell_groups }: Counter, exchanging: Exchanging) {
  const map = useHolds(till.event.id, may_sell_groups);
  const line = useRef<HTMLInputElement>(null);
  const { gone, afterSale, ...reducing } = useReductions();
  const { reductions } = reducing;
  const basket = useBasket(map, till, reductions);
  const { lines } = basket;
  const [way, setWay] = useState<Way | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const { reset: resetBuyer, ...buying } = useBuyer();
  const forgetCounter = useForgetCounter();
  const readTillAgain = useReadAgain(till.event.id);
  const sending = useSale((sale, refused) => {
    setWay(null);
    afterSale(refused);
    // A refused sale may have been reckoned with old prices or rules.
    if (sale === null) {
      exchanging.onRefused();
      return readTillAgain();
    }
    if (sale.exchange !== null) exchanging.onMade();
    // Places of a standing area can be chosen again, a sold seat cannot.
    map.sold(lines.filter(({ isArea }) => !isArea).map(({ object_id }) => object_id));
    setSaid(null);
    basket.reset();
    resetBuyer();
    forgetCounter();
    line.current?.focus();
  });
  const deal = dealOf(exchanging.exchange, totalOf(lines, till.per_order));
  const sell = (paid: Partial<SaleBody>) =>
    sending.send({
      event_id: till.event.id,
      hold_token: map.holdToken(),
      selected_objects: objectsOf(lines),
      ...deal.body,
      ...(paid.by_hand && { expected_cents: paid.by_hand.total_cents }),
      ...bodyOfBuyer(buying.buyer),
      ...bodyOfReductions(reductions),
      ...paid,
    });
  const choose = async (text: string) => {
    sending.forget();
    setSaid(await chooseTyped(text, till, map));
  };
  const takeOut = (object: string | null) => {
    setSaid(null);
    sending.forget();
    if (object === null) basket.goTo(0);
    void map.takeOut(object);
  };
  useSeatsFromAddress(map, setSaid);
  const isBusy = sending.pending !== null;
  const isPriced = lines.every(({ unit_cents }) => unit_cents !== null);
  const canPay = lines.length > 0 && isPriced && !isBusy && deal.isReady;
  const { contingents } = till;
  const doings = { way, setWay, said, gone, sending, sell, choose, takeOut, isBusy, canPay };
  return { map, line, basket, contingents, reducing, deal, ...buying, ...doings };
}

/** The chart with a hold of the counter. */
function useHolds(event_id: string, may_sell_groups: boolean): TillChart {
  return useTillChart((hold_token) => {
    void call(admitHold, { body: { event_id, hold_token } }).catch(() => {});
    // If this fails, the map limits the seats as for a visitor.
    if (may_sell_groups) void call(widenHold, { body: { hold_token } }).catch(() => {});
  });
}

/** Makes the next screen fetch drawers and free places again. */
function useForgetCounter() {
  const client = useQueryClient();
  return () =>
    void client.invalidateQueries({ queryKey: keyOf(readCounter, {}), refetchType: 'none' });
}

function useReadAgain(eventId: string) {
  const client = useQueryClient();
  return () =>
    void client.invalidateQueries({ queryKey: keyOf(readTill, { params: { eventId } }) });
}

/** `gone`: what the last sale took away, because it was refused for it. */
function useReductions() {
  const [reductions, onChange] = useState(noReductions);
  const [gone, setGone] = useState<readonly string[]>([]);
  const afterSale = (refused: Refused | null) => {
    const lost = goneAfter(reductions, refused);
    setGone(lost);
    onChange(refused === null ? noReductions : withoutGone(reductions, lost));
  };
  return { reductions, onChange, gone, afterSale };
}

function useBuyer() {
  const [buyer, setBuyer] = useState(noBuyer);
  const [isBuyerOpen, setBuyerOpen] = useState(false);
  const reset = () => {
    setBuyer(noBuyer);
    setBuyerOpen(false);
  };
  return { buyer, setBuyer, isBuyerOpen, setBuyerOpen, reset };
}

const nothingSaid: Said = { types: {}, coming: {} };

/** The lines of the basket, with what the seller said about them. */
function useBasket(map: TillChart, till: Till, reductions: Reductions) {
  const [said, setSaid] = useState<Said>(nothingSaid);
  const [current, setCurrent] = useState(0);
  const lines = useMemo(() => {
    const price_rules = [...till.price_rules, ...rulesOfReductions(reductions)];
    return basketOf(map.chosen, { ...till, price_rules }, said);
  }, [map.chosen, till, said, reductions]);
  const goTo = (at: number) => setCurrent(Math.max(0, Math.min(lines.length - 1, at)));
  return {
    lines,
    current,
    /** The object of the marked line. */
    marked: lines[Math.min(current, lines.length - 1)]?.object_id ?? null,
    goTo,
    move: (step: 1 | -1) => goTo(current + step),
    giveType(nth: number) {
      const at = lines[current];
      const type = at?.types[nth - 1];
      if (at === undefined || type === undefined) return;
      setSaid(({ types, ...now }) => ({
        ...now,
        types: { ...types, [at.object_id]: type.ticketType },
      }));
      goTo(current + 1);
    },
    /** One guest more or less at the current line's table. */
    addGuest(step: 1 | -1) {
      const at = lines[current];
      if (!at?.whole) return;
      const count = Math.max(1, Math.min(at.whole.places, at.quantity + step));
      setSaid(({ coming, ...now }) => ({ ...now, coming: { ...coming, [at.object_id]: count } }));
    },
    reset() {
      setSaid(nothingSaid);
      setCurrent(0);
    },
  };
}

function objectsOf(lines: readonly BasketLine[]): SaleBody['selected_objects'] {
  return lines.map(({ object_id, ticket_type, quantity, whole }) => ({
    object_id,
    ticket_type,
    ...((quantity > 1 || whole) && { quantity }),
  }));
}

/**
 * A number, perhaps with a sector, means that many best places; other text names seats. Null:
 * done; else a fault.
 */
async function chooseTyped(text: string, till: Till, map: TillChart): Promise<string | null> {
  const wish = readBestWish(text, hallOf(till));
  if (wish !== null) {
    if (await map.chooseBest(wish)) return null;
    return wish.sector === null
      ? 'Non ci sono abbastanza posti liberi vicini.'
      : 'In quel settore non ci sono abbastanza posti liberi vicini.';
  }
  const typed = readTypedSeats(text, till.seats);
  const taken = await map.choose(typed.objects);
  const words = [...typedFaults(typed), ...taken.map((name) => `${name} non è libero`)];
  return words.length === 0 ? null : `${words.join('; ')}.`;
}

function hallOf({ seats, pricing, whole_objects: whole }: Till) {
  const wholes = new Set(whole.flatMap(({ labels }) => labels));
  const areas = seats.filter(({ kind, object }) => kind === 'area' && !wholes.has(object));
  return {
    seats,
    categories: pricing.map(({ category }) => category),
    areas: areas.map(({ object }) => object),
  };
}
