/**
 * Creates the demo of the first start: two events in a theatre, with prices at the stand-in. It
 * never runs with real keys.
 */
import { randomBytes } from 'node:crypto';
import {
  fromAbsolute,
  getDayOfWeek,
  toCalendarDate,
  toZoned,
  toCalendarDateTime,
  Time,
} from '@internationalized/date';
import { oneAtATime } from '#db/engine/dialect.ts';
import {
  countEvents,
  findEvent,
  isSeatKeyTaken,
  listDemo,
  unmarkDemo,
  updateEvent,
} from '#db/event/events.ts';
import { hasLiveMoney } from '#db/office/removal.ts';
import { transact } from '#db/engine/transact.ts';
import { dropSetting, readSetting } from '#db/settings.ts';
import type { CategoryPricing } from '#server/domain/price/pricing.ts';
import type { EventKind } from '#server/domain/event/event-kind.ts';
import { bareEvent } from '#server/domain/event/event.ts';
import { demoSeller } from '#server/domain/site/demo-seller.ts';
import type { Ctx } from '#server/services/context.ts';
import { addEvent } from './events.ts';
import { happened } from '#server/services/kit/happened.ts';
import { introduceSeller } from '#server/services/site/site.ts';
import { newCodes } from '#server/services/order/tickets.ts';

interface DemoEvent {
  id: string;
  title: string;
  kind: EventKind;
  weeks: number;
  description: string;
  /** Presale fee per paid ticket, in cents. */
  fee?: number;
  /** Its buyers change the date by themselves, once the show has another one. */
  exchange?: 1;
  cents: [category: string, intero: number, ridotto: number][];
}

const venue = {
  venue_title: 'Teatro Goldoni',
  venue_address: demoSeller.address,
  venue_href: 'https://www.openstreetmap.org/search?query=Teatro+Goldoni',
};
const chartKey = 'teatro-goldoni';

const demoEvents: DemoEvent[] = [
  {
    id: 'la-locandiera',
    title: 'La locandiera',
    kind: 'play',
    weeks: 1,
    exchange: 1,
    cents: [
      ['Platea', 3200, 2500],
      ['Palchi', 2600, 2000],
      ['Galleria', 1800, 1200],
    ],
    description: [
      'Firenze, una locanda, quattro ospiti e una padrona che non ha alcuna intenzione di sposare un nobile. Mirandolina, corteggiata da tutti, decide di far innamorare proprio l’unico che disprezza le donne: il Cavaliere di Ripafratta.',
      'La commedia più amata di Carlo Goldoni torna in scena con sei attori, musiche dal vivo e un allestimento che gira su sé stesso, come le promesse dei suoi personaggi.',
      'Due atti, 2 ore e 10 minuti con un intervallo. Consigliata dai 10 anni. Ridotto per chi ha meno di 26 anni o più di 65: porta con te un documento.',
    ]
      .map((paragraph) => `<p>${paragraph}</p>`)
      .join(''),
  },
  {
    id: 'concerto-di-natale',
    title: 'Concerto di Natale',
    kind: 'music',
    weeks: 4,
    fee: 150,
    cents: [
      ['Platea', 2800, 2200],
      ['Palchi', 2400, 1800],
      ['Galleria', 1500, 1000],
    ],
    description: [
      'Corelli, Vivaldi e le pastorali della tradizione italiana: l’orchestra da camera e il coro di voci bianche della città accompagnano il pubblico verso le feste.',
      'Un’ora e mezza senza intervallo. Ridotto per chi ha meno di 26 anni o più di 65.',
    ]
      .map((paragraph) => `<p>${paragraph}</p>`)
      .join(''),
  },
];

/** The setting that says since when the house has no demo, or waits for a fresh one. */
export const demoGoneKey = 'demo_gone_at';

/** Adds the demo events unless the database has as many; continues after an interruption. */
export async function seedDemo(ctx: Ctx): Promise<void> {
  if ((await countEvents(ctx.db)) >= demoEvents.length) return;
  if ((await readSetting(ctx.db, demoGoneKey)) === null) await addDemoEvents(ctx);
}

async function addDemoEvents(ctx: Ctx): Promise<void> {
  // Processes that start together must not make the same prices twice.
  await oneAtATime(ctx.db, async () => {
    await introduceSeller(ctx, demoSeller);
    for (const demo of demoEvents)
      if (!(await findEvent(ctx.db, demo.id))) await addDemo(ctx, demo);
  });
}

/** The demo's halls must be gone at the seat map before new ones have their names. */
const hallsGoMs = 5_000;

/** Makes the demo anew after it was removed; returns when to try again, or null when done. */
export async function makeDemo(ctx: Ctx): Promise<number | null> {
  // The house may have got real keys since its demo was removed.
  if (!ctx.standins.stripe || !ctx.standins.seatsio) return null;
  for (const { id } of demoEvents)
    if (!(await findEvent(ctx.db, id)) && (await isSeatKeyTaken(ctx.db, id, '')))
      return ctx.now() + hallsGoMs;
  await addDemoEvents(ctx);
  await dropSetting(ctx.db, demoGoneKey);
  return null;
}

/**
 * In a house that takes real money the public does not see the demo. A show that was sold for
 * real is the house's own, though a house of 1.0 has left it the demo's title and picture.
 */
export async function hideDemo(ctx: Ctx): Promise<void> {
  if (!ctx.payments.live) return;
  for (const dates of Map.groupBy(await listDemo(ctx.db), ({ show_id }) => show_id).values()) {
    const ids = dates.map(({ id }) => id);
    if (await hasLiveMoney(ctx.db, ids)) await unmarkDemo(ctx.db, ids);
  }
  for (const { id, status } of await listDemo(ctx.db)) {
    if (status !== 'published') continue;
    await transact(ctx.db, async (trx) => {
      await updateEvent(trx, id, { status: 'draft', updated_at: ctx.now() });
      const because = 'demo_in_live_house';
      await happened(ctx, trx, {
        actor: 'system',
        action: 'event_unpublished',
        subject: id,
        detail: { because },
      });
    });
  }
}

async function addDemo(ctx: Ctx, demo: DemoEvent): Promise<void> {
  await ctx.seats.ensureEvent(demo.id, { chartKey, name: demo.title });
  await ctx.seats.limitHolds(demo.id, bareEvent.max_seats);
  const starts_at = saturdayEvening(ctx.now(), demo.weeks);
  await addEvent(ctx, {
    ...bareEvent,
    ...venue,
    id: demo.id,
    title: demo.title,
    kind: demo.kind,
    exchange: demo.exchange ?? 0,
    starts_at,
    doors_at: starts_at - 60 * 60_000,
    // Visitors of the demo may try its door today (RULES A9).
    admits_from: ctx.now(),
    status: 'published',
    demo: 1,
    description: demo.description,
    event_ball_image: `/images/${imageOf(demo)}.svg`,
    band_ball_image: `/images/${imageOf(demo)}-band.svg`,
    seatsio_event_key: demo.id,
    seat_pricing: JSON.stringify(await pricingAtStripe(ctx, demo)),
    ...newCodes(ctx),
    feed_epoch: randomBytes(8).toString('hex'),
    created_at: ctx.now(),
    chart_key: chartKey,
    fee_price_id:
      demo.fee === undefined
        ? null
        : await ctx.payments.ensurePrice({
            lookup_key: `${demo.id}-prevendita`,
            product: 'Diritto di prevendita',
            unit_amount: demo.fee,
          }),
  });
}

function imageOf(demo: DemoEvent): string {
  return demo.id === 'la-locandiera' ? 'locandiera' : 'concerto-natale';
}

async function pricingAtStripe(ctx: Ctx, demo: DemoEvent): Promise<CategoryPricing[]> {
  const pricing: CategoryPricing[] = [];
  for (const [category, intero, ridotto] of demo.cents) {
    const price = (type: string, unit_amount: number) =>
      ctx.payments.ensurePrice({
        lookup_key: `${demo.id}-${category}-${type}`.toLowerCase(),
        product: `${demo.title} – ${category}, ${type}`,
        unit_amount,
      });
    pricing.push({
      category,
      ticketTypes: [
        { price_id: await price('intero', intero), ticketType: 'intero', label: 'Intero' },
        { price_id: await price('ridotto', ridotto), ticketType: 'ridotto', label: 'Ridotto' },
      ],
    });
  }
  return pricing;
}

/**
 * 21:00 in Rome on the first Saturday that is at least `weeks` weeks away; some rules end days
 * before the event, and the demo should still show them.
 */
function saturdayEvening(now: number, weeks: number): number {
  const today = toCalendarDate(fromAbsolute(now, 'Europe/Rome'));
  const toSaturday = (5 - getDayOfWeek(today, 'it-IT') + 7) % 7;
  return toZoned(
    toCalendarDateTime(today.add({ days: toSaturday + 7 * weeks }), new Time(21)),
    'Europe/Rome',
  )
    .toDate()
    .getTime();
}
