/** What `doctor` checks in the house: database, clock, webhooks, mail, phones and backups. */
import { findDamage, readVersion } from '#db/engine/diagnosis.ts';
import { countMails } from '#db/office/figures.ts';
import { listPhones } from '#db/door/phones.ts';
import { tellSchemaFault } from '#server/domain/backup.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { Finding } from '#server/domain/office/alert.ts';
import { formatDate, formatListDate } from '#server/domain/time/dates.ts';
import { tellLostCharts } from '#server/domain/office/lost-charts.ts';
import { tellGap } from '#server/domain/office/restored.ts';
import { clockWarningMs, phoneStateOf } from '#server/domain/door/phone.ts';
import type { Ctx } from '#server/services/context.ts';
import { schemaFaultOf } from '#server/services/backup/schema-fault.ts';
import { backupReport } from '#server/services/backup/keep.ts';
import { lostPricesFound, testMoneyFound, webhookReport } from '#server/services/office/checks.ts';
import { clockSkew } from '#server/services/office/clock-skew.ts';
import { eventsWithoutChart } from '#server/services/office/lost-charts.ts';
import { unbelievedByAny } from '#server/services/office/proxies.ts';
import { processList } from '#server/services/kit/processes.ts';
import { pausedGap } from '#server/services/kit/restored.ts';
import { maintenanceSince } from '#server/services/site/maintenance.ts';
import { product } from '#server/services/kit/version.ts';
import type { Found } from './found.ts';

const everyPhone = { limit: 500, after: null };

export const houseChecks: Record<string, (ctx: Ctx) => Promise<Found>> = {
  Versione: versions,
  Vendita: sale,
  Database: database,
  Stripe: stripe,
  Prezzi: (ctx) => asFound(lostPricesFound(ctx), 'l’account Stripe conosce quelli in vendita'),
  'Denaro di prova': (ctx) => asFound(testMoneyFound(ctx), 'non ne resta'),
  'Pianta dei posti': seatMap,
  'Indirizzi dei visitatori': proxyHeaders,
  Orologio: clock,
  Webhook: webhook,
  'E-mail': mails,
  Telefoni: phones,
  Backup: backups,
};

/** The version of this command, and those of the servers that run. */
async function versions(ctx: Ctx): Promise<Found> {
  const beating = (await processList(ctx)).filter(({ beats }) => beats);
  const about = beating.map(({ version, host, pid }) => `${version} su ${host}, processo ${pid}`);
  const words = `${ctx.version} del ${formatDate(product.released)}; accesi: ${about.join('; ') || 'nessuno'}`;
  if (beating.every(({ version }) => version === ctx.version)) return { state: 'ok', words };
  return {
    state: 'warn',
    words,
    mend: 'Versioni diverse insieme vanno bene solo finché dura un aggiornamento: spegni la più vecchia.',
  };
}

/** Says nothing of a house that sells. */
async function sale(ctx: Ctx): Promise<Found> {
  const since = await maintenanceSince(ctx);
  if (since === null) return null;
  const gap = await pausedGap(ctx.db);
  return {
    state: 'warn',
    words: `ferma da ${formatListDate(since)}`,
    mend:
      gap === null
        ? 'Finita la manutenzione: npm run admin -- maintenance off'
        : `${tellGap(gap, ctx.now())} Poi: npm run admin -- maintenance off --yes`,
  };
}

async function database(ctx: Ctx): Promise<Found> {
  const damage = await findDamage(ctx.db);
  const fault = damage === null ? await schemaFaultOf(ctx) : null;
  if (fault !== null)
    return {
      state: 'bad',
      words: tellSchemaFault(fault),
      mend: 'Il programma non parte più su questi dati: ripristina l’ultima copia buona.',
    };
  if (damage === null) return { state: 'ok', words: await readVersion(ctx.db) };
  return {
    state: 'bad',
    words: `è rovinato: ${damage}`,
    mend: 'Ferma il programma e ripristina l’ultimo backup.',
  };
}

async function stripe(ctx: Ctx): Promise<Found> {
  return tryKey(ctx, 'stripe', {
    setting: 'STRIPE_SECRET_KEY',
    ask: () => ctx.payments.activePrices(),
  });
}

async function seatMap(ctx: Ctx): Promise<Found> {
  const lost = tellLostCharts(await eventsWithoutChart(ctx));
  if (lost !== null) return { state: 'bad', words: lost.sentence, mend: lost.mend };
  const ask = () => ctx.charts.list({ limit: 1, after: null, name: '' });
  return tryKey(ctx, 'seatsio', { setting: 'SEATSIO_SECRET_KEY', ask });
}

/** A stand-in that runs in the server's process needs no key, and a command cannot reach it. */
async function tryKey(
  { settings }: Ctx,
  name: 'stripe' | 'seatsio',
  { setting, ask }: { setting: string; ask: () => Promise<unknown> },
): Promise<Found> {
  if (settings.keys.some((key) => key.name === name && key.mode === 'stand_in')) return null;
  try {
    await ask();
    return { state: 'ok', words: 'risponde e accetta la chiave' };
  } catch (error) {
    return error instanceof ProviderRefused
      ? {
          state: 'bad',
          words: 'rifiuta la chiave',
          mend: `Copia di nuovo ${setting} dal pannello.`,
        }
      : {
          state: 'bad',
          words: 'non risponde',
          mend: 'Controlla la rete di questo computer e la pagina di stato del fornitore.',
        };
  }
}

async function proxyHeaders(ctx: Ctx): Promise<Found> {
  const seen = await unbelievedByAny(ctx);
  if (seen === null) return { state: 'ok', words: 'si distinguono' };
  return {
    state: 'warn',
    words: `li manda ${seen.peer}, che TRUST_PROXY non nomina (${formatListDate(seen.at)})`,
    mend: 'Se è il tuo proxy scrivi TRUST_PROXY=1 o il suo indirizzo e riavvia: ora per i limiti tutti contano come uno.',
  };
}

/** A check of Salute as a line of `doctor`. */
async function asFound(finding: Promise<Finding | null>, well: string): Promise<Found> {
  const found = await finding;
  if (found === null) return { state: 'ok', words: well };
  return { state: found.state === 'red' ? 'bad' : 'warn', words: found.sentence, mend: found.mend };
}

async function clock(ctx: Ctx): Promise<Found> {
  return asFound(clockSkew(ctx), 'giusto, per quanto dicono i fornitori');
}

async function webhook(ctx: Ctx): Promise<Found> {
  const { last_at, paid_since, silent_since } = await webhookReport(ctx);
  const address = 'Controlla su Stripe l’indirizzo del webhook e STRIPE_WEBHOOK_SECRET.';
  if (silent_since !== null)
    return {
      state: 'bad',
      words: `nessuno, ma ordini pagati nel frattempo: ${paid_since}`,
      mend: address,
    };
  if (last_at !== null) return { state: 'ok', words: `l’ultimo ${formatListDate(last_at)}` };
  return ctx.standins.stripe
    ? { state: 'ok', words: 'nessuno finora' }
    : { state: 'warn', words: 'nessuno finora', mend: address };
}

async function mails({ db, mail }: Ctx): Promise<Found> {
  if (!mail.leaves) return null;
  const failed = (await countMails(db))['failed'] ?? 0;
  if (failed === 0) return { state: 'ok', words: 'nessuna rifiutata' };
  return {
    state: 'warn',
    words: `non inviate: ${failed}`,
    mend: 'Apri la posta nell’ufficio: accanto a ognuna c’è il motivo.',
  };
}

/** Checks phones by what they reported: their app's version and how wrong their clock is. */
async function phones({ db }: Ctx): Promise<Found> {
  const paired = (await listPhones(db, { revoked: false }, everyPhone)).filter(
    (phone) => phoneStateOf(phone) === 'paired',
  );
  const wrong = paired.filter(
    ({ clock_offset_ms }) => Math.abs(clock_offset_ms ?? 0) > clockWarningMs,
  );
  const old = paired.filter(({ app_version }) => app_version === null);
  const namesOf = (some: typeof paired) =>
    some
      .slice(0, 5)
      .map(({ name }) => name)
      .join(', ');
  if (wrong.length > 0)
    return {
      state: 'warn',
      words: `ora sbagliata: ${namesOf(wrong)}`,
      mend: 'Imposta l’ora automatica sul telefono.',
    };
  if (old.length > 0)
    return {
      state: 'warn',
      words: `app mai aggiornata: ${namesOf(old)}`,
      mend: 'Apri la porta sul telefono, in rete, prima della serata.',
    };
  const browsers = [...new Set(paired.flatMap(({ browser }) => browser ?? []))].toSorted();
  return { state: 'ok', words: [`abbinati: ${paired.length}`, ...browsers].join(', ') };
}

async function backups(ctx: Ctx): Promise<Found> {
  const report = await backupReport(ctx);
  const { too_old, verified, folder, folder_fault } = report;
  if (folder_fault !== null)
    return { state: 'bad', words: `${folder} non prende copie`, mend: folder_fault };
  if (too_old || verified === null)
    return {
      state: too_old ? 'bad' : 'warn',
      words: `${verified === null ? 'nessuno verificato finora' : `l’ultimo verificato è del ${formatListDate(verified.made_at)}`}; ${gapWords(report)}`,
      mend: `Premi «Fai una copia ora» in Salute; a programma spento: npm run admin -- backup ${folder}`,
    };
  if (report.beside_house)
    return {
      state: 'warn',
      words: `stanno sullo stesso disco del botteghino; ${gapWords(report)}`,
      mend: 'Indica con BACKUP_FOLDER una cartella su un altro disco (in un contenitore, un volume che sta lì), o portane una ogni giorno altrove.',
    };
  return {
    state: 'ok',
    words: `l’ultimo verificato è del ${formatListDate(verified.made_at)}; ${gapWords(report)}`,
  };
}

/** What would be lost with the disk now, and how often a copy is made. */
function gapWords({ loses_since, every_ms }: Awaited<ReturnType<typeof backupReport>>): string {
  const often = `una copia ogni ${Math.round(every_ms / 60_000)} minuti`;
  return loses_since === null
    ? `niente da salvare, ${often}`
    : `da salvare quello che è successo dal ${formatListDate(loses_since)}, ${often}`;
}
