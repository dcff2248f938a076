/**
 * All checks of Salute, the page on the server's health. Each check says in words what is wrong
 * and what to do.
 */
import { statfs } from 'node:fs/promises';
import { certificateEnd } from '#server/adapters/certificate-end.ts';
import { providerHealth } from '#server/adapters/provider-health.ts';
import {
  countPaidSessions,
  lastWebhookAt,
  oldestWaitingMail,
  readBacklog,
} from '#db/office/figures.ts';
import { listInvariantRows } from '#db/reconcile/invariant-rows.ts';
import { phonesWithUnsent } from '#db/door/phones.ts';
import { listAddresses } from '#db/program/addresses.ts';
import { writeProbe } from '#db/settings.ts';
import type { Finding } from '#server/domain/office/alert.ts';
import { tellGap } from '#server/domain/office/restored.ts';
import { tellLostCharts } from '#server/domain/office/lost-charts.ts';
import { certificateState, diskState, readinessLimits } from '#server/domain/door/readiness.ts';
import type { Ctx } from '#server/services/context.ts';
import { backupReport } from '#server/services/backup/keep.ts';
import { pausedGap } from '#server/services/kit/restored.ts';
import { clockTrouble } from './clock-skew.ts';
import { hasPublished } from '#db/office/first-steps.ts';
import { eventsWithoutChart } from './lost-charts.ts';
import { listOpenBreaks } from '#db/reconcile/breaks.ts';
import { listDemo } from '#db/event/events.ts';
import { testOrders } from './test-orders.ts';
import { memo } from '#server/services/kit/memo.ts';
import { sellerOf, sellsAsItself } from '#server/services/site/site.ts';
import { unusualReaders } from '#server/services/user/unusual.ts';
import { crowdedEvents } from '#server/services/queue/crowd.ts';

interface HealthCheck {
  /** Must never change, because alerts and outside monitoring use it. */
  name: string;
  /** Null: all is well, or the check does not apply here. Throws if it cannot find out. */
  look: (ctx: Ctx) => Promise<Finding | null>;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** A provider that does not answer is reported after this time. */
const silentMs = minuteMs;
const mailLateMs = 15 * minuteMs;
/** If we are not told of a payment within this time, the webhook endpoint is wrong. */
const webhookLateMs = 5 * minuteMs;
/** A phone with unsent scans is reported if we have not heard from it for this time. */
const phoneAwayMs = 10 * minuteMs;

export const healthChecks: readonly HealthCheck[] = [
  { name: 'database', look: database },
  { name: 'invariants', look: invariants },
  { name: 'restored', look: restored },
  {
    name: 'stripe',
    look: async (ctx) => silence(ctx, ctx.payments, 'Stripe non risponde.', 'Nessuno può pagare.'),
  },
  {
    name: 'seatsio',
    look: async (ctx) =>
      silence(
        ctx,
        ctx.seats,
        'La pianta dei posti non risponde.',
        'Nessuno può scegliere i posti.',
      ),
  },
  { name: 'seller', look: seller },
  { name: 'prices', look: lostPricesFound },
  { name: 'test_money', look: testMoneyFound },
  { name: 'charts', look: async (ctx) => tellLostCharts(await eventsWithoutChart(ctx)) },
  { name: 'mail', look: mail },
  { name: 'webhook', look: webhook },
  { name: 'backlog', look: backlog },
  { name: 'backup', look: backup },
  { name: 'disk', look: disk },
  { name: 'certificate', look: certificate },
  { name: 'clock', look: clockTrouble },
  { name: 'phones', look: phones },
  { name: 'crowd', look: crowd },
  { name: 'reading', look: reading },
  { name: 'programs', look: programs },
];

async function database(ctx: Ctx): Promise<Finding | null> {
  const error = await writeProbe(ctx.db, ctx.now()).then(
    () => null,
    (failed: unknown) => failed,
  );
  if (error === null) return null;
  return {
    state: 'red',
    sentence: 'Il database non prende scritture.',
    mend: 'Controlla che sia acceso e che il disco non sia pieno: finché dura nessuno può comprare.',
  };
}

async function invariants(ctx: Ctx): Promise<Finding | null> {
  const broken = (await listInvariantRows(ctx.db)).filter(({ violations }) => violations > 0);
  if (broken.length === 0) return null;
  return {
    state: 'red',
    sentence: 'I conti non tornano.',
    mend: `Regole non rispettate: ${broken.length}. In Salute, «Conti in ordine» dice quali ordini riguarda.`,
  };
}

async function restored(ctx: Ctx): Promise<Finding | null> {
  const gap = await pausedGap(ctx.db);
  if (gap === null) return null;
  return {
    state: 'amber',
    sentence: 'Questa casa è stata ripristinata da una copia, e la vendita è ferma.',
    mend: `${tellGap(gap, ctx.now())} «Prima di riprendere a vendere», in cima a ogni pagina dell’ufficio, dice che cosa fare.`,
  };
}

function silence(ctx: Ctx, port: object, sentence: string, means: string): Finding | null {
  const { answered_at = null, silent_at = null, error = null } = providerHealth(port) ?? {};
  if (error === null || silent_at === null) return null;
  // An answer later than the last silence is of a clock that was set back since.
  const isOrdered = answered_at !== null && answered_at <= silent_at;
  const since = isOrdered ? answered_at : silent_at - silentMs;
  if (ctx.now() - since < silentMs) return null;
  return {
    state: 'red',
    sentence,
    mend: `${means} Controlla la rete di questo computer e la pagina di stato del fornitore. Ha detto: ${error}`,
  };
}

/** Before the first event of its own a house has the seller's data as a first step. */
async function seller(ctx: Ctx): Promise<Finding | null> {
  if (!(await hasPublished(ctx.db))) return null;
  if (!(await sellsAsItself(ctx)))
    return {
      state: 'red',
      sentence: 'Niente si vende: chi vende è ancora quello della dimostrazione.',
      mend: 'Con le chiavi vere nessuno compra da un nome inventato: in Impostazioni, «Sito e aspetto», scrivi partita IVA e contatti tuoi.',
    };
  if ((await sellerOf(ctx)) === 'house') return null;
  return {
    state: 'amber',
    sentence: 'Mancano i dati di chi vende.',
    mend: 'La legge li vuole su ogni pagina: in Impostazioni, «Sito e aspetto» dice quali.',
  };
}

/** Says what noteStripeKey() and the nightly comparison have found. */
export async function lostPricesFound({ db }: Ctx): Promise<Finding | null> {
  const open = await listOpenBreaks(db, ['price_not_sellable']);
  const lost = open.filter(({ detail }) => JSON.parse(detail)['unknown'] === true);
  if (lost.length === 0) return null;
  return {
    state: 'red',
    sentence: 'L’account Stripe di adesso non conosce dei prezzi in vendita.',
    mend: `Prezzi: ${lost.length}. Quei biglietti non si possono comprare: «Cambio di chiavi Stripe» li crea di nuovo, con gli importi di prima.`,
  };
}

/** In a live house neither the demo nor an order of test money may stay. */
export async function testMoneyFound(ctx: Ctx): Promise<Finding | null> {
  const orders = (await testOrders(ctx)).reduce((sum, event) => sum + event.orders, 0);
  const dates = ctx.payments.live ? (await listDemo(ctx.db)).length : 0;
  if (orders + dates === 0) return null;
  return {
    state: 'amber',
    sentence: 'In questa casa, che incassa davvero, restano cose di prova.',
    mend: [
      ...(orders > 0
        ? [
            `Ordini pagati con denaro di prova: ${orders}. Contano nei rapporti finché non li togli.`,
          ]
        : []),
      ...(dates > 0
        ? [
            `Date della dimostrazione: ${dates}. Il pubblico non le vede: toglile con «npm run admin -- reset-demo --yes».`,
          ]
        : []),
    ].join(' '),
  };
}

async function mail(ctx: Ctx): Promise<Finding | null> {
  if (!ctx.mail.leaves)
    return {
      state: 'amber',
      sentence: 'Manca il server di posta.',
      mend: 'I messaggi restano qui e non li riceve nessuno: «La posta» in «Mettere in scena» dice come si imposta.',
    };
  const oldest = await oldestWaitingMail(ctx.db);
  if (oldest === null || ctx.now() - oldest < mailLateMs) return null;
  const said = providerHealth(ctx.mail)?.error?.replace(/<?[^\s<>]+@[^\s<>]+>?/g, '…');
  return {
    state: 'red',
    sentence: 'La posta non parte.',
    mend: `Controlla SMTP_URL, MAIL_FROM e la tua quota al server di posta: i biglietti aspettano e partiranno da soli.${said === undefined ? '' : ` Ha detto: ${said}`}`,
  };
}

/**
 * `silent_since`: the time of the first payment of which Stripe should have told us and has not;
 * null if there is none.
 */
export async function webhookReport(ctx: Ctx) {
  const last_at = await lastWebhookAt(ctx.db);
  const { paid, first_at } = await countPaidSessions(
    ctx.db,
    Math.max(last_at ?? 0, ctx.now() - dayMs),
  );
  return {
    last_at,
    paid_since: paid,
    silent_since: first_at !== null && first_at < ctx.now() - webhookLateMs ? first_at : null,
  };
}

async function webhook(ctx: Ctx): Promise<Finding | null> {
  if ((await webhookReport(ctx)).silent_since === null) return null;
  return {
    state: 'amber',
    sentence: 'I webhook di Stripe non arrivano.',
    mend: 'Gli ordini vengono confermati lo stesso, più lentamente: controlla l’indirizzo del webhook su Stripe.',
  };
}

async function backlog(ctx: Ctx): Promise<Finding | null> {
  const { oldest_due_at, due } = await readBacklog(ctx.db, ctx.now());
  if (oldest_due_at === null || ctx.now() - oldest_due_at < readinessLimits.backlog_ms) return null;
  return {
    state: 'red',
    sentence: 'Il lavoro in attesa cresce.',
    mend: `Operazioni in ritardo: ${due}. In Salute, «Lavori in attesa»: la prima dice che cosa la ferma.`,
  };
}

/** A folder that takes no copies is named, because the database is not at fault. */
async function backup(ctx: Ctx): Promise<Finding | null> {
  const { too_old, failed, folder_fault } = await backupReport(ctx);
  const why = folder_fault ?? failed?.says;
  if (too_old)
    return {
      state: 'red',
      sentence: 'Manca una copia di sicurezza recente.',
      mend: `L’ultima che si è potuta leggere ha più di un giorno. ${why ?? 'In Salute, «Copie di sicurezza» dice che cosa la ferma.'}`,
    };
  if (why === undefined) return null;
  return { state: 'amber', sentence: 'La copia di sicurezza non riesce.', mend: why };
}

async function disk(ctx: Ctx): Promise<Finding | null> {
  const { bavail, blocks, bsize } = await statfs(ctx.dataDir);
  const free = bavail * bsize;
  const state = diskState({ free, share: bavail / blocks });
  if (state === null) return null;
  return {
    state,
    sentence: 'Il disco è quasi pieno.',
    mend: `Restano ${Math.floor(free / 1e6)} MB: fai spazio, o quando è pieno non si vende più.`,
  };
}

/** Shared: reading the certificate needs a connection to ourselves, and it rarely changes. */
const sharedEnd = memo<number | null>({ freshMs: 60 * minuteMs });

async function certificate(ctx: Ctx): Promise<Finding | null> {
  const { memory, publicUrl } = ctx;
  const ask = () => certificateEnd(publicUrl);
  const end = await sharedEnd.get(memory, { now: ctx.now, ask });
  const days = end === null ? Number.POSITIVE_INFINITY : Math.floor((end - ctx.now()) / dayMs);
  const state = certificateState(days);
  if (state === null) return null;
  return {
    state,
    sentence: 'Il certificato del sito sta per scadere.',
    mend: `Giorni che restano: ${Math.max(0, days)}. Controlla il proxy che lo rinnova: scaduto quello, nessun browser apre il sito.`,
  };
}

async function phones(ctx: Ctx): Promise<Finding | null> {
  const names = await phonesWithUnsent(ctx.db, ctx.now() - phoneAwayMs);
  if (names.length === 0) return null;
  return {
    state: 'amber',
    sentence: 'Un telefono della porta ha letture che nessuno ha ricevuto.',
    mend: `Portalo in rete e apri la porta: ${names.slice(0, 5).join(', ')}.`,
  };
}

async function reading(ctx: Ctx): Promise<Finding | null> {
  const names = await unusualReaders(ctx);
  if (names.length === 0) return null;
  return {
    state: 'amber',
    sentence: 'Una persona della casa cerca o esporta moltissimi acquirenti.',
    mend: `${names.join(', ')}: guarda nel Registro che cosa ha fatto nelle ultime 24 ore, e se non te lo spieghi sospendi l’accesso in Persone.`,
  };
}

async function programs({ db }: Ctx): Promise<Finding | null> {
  const silent = (await listAddresses(db)).filter(({ off_why }) => off_why === 'silent');
  if (silent.length === 0) return null;
  return {
    state: 'amber',
    sentence: 'Un altro programma non riceve più gli avvisi.',
    mend: `Per tre giorni non li ha accettati e l’indirizzo è spento: ${silent.map(({ url }) => new URL(url).host).join(', ')}. Avvisa chi lo cura, poi in Programmi riaccendilo o toglilo.`,
  };
}

async function crowd(ctx: Ctx): Promise<Finding | null> {
  const events = await crowdedEvents(ctx);
  const [first] = events;
  if (first === undefined) return null;
  const titles = events.map(({ title }) => `«${title}»`).join(', ');
  return {
    state: 'amber',
    sentence: 'Una sola rete prende moltissimi posti.',
    mend: ctx.standins.seatsio
      ? `Per ${titles} non può tenerne altri, e quelli che ha non le sono stati tolti. Se non è una scuola o un gruppo, apri la sala d’attesa.`
      : `Per ${titles} ha molti ordini non pagati, e la pianta di seats.io non la limita. Se non è una scuola o un gruppo, apri la sala d’attesa.`,
    event_id: first.id,
  };
}
