/**
 * The register of processing, with facts of this house: who is responsible, who receives data,
 * how long they are stored.
 */
import { isPostgresAddress } from '#db/engine/connect.ts';
import { measures, noMarketing, processings } from '#server/domain/person/register.ts';
import { keptWords } from '#server/domain/person/backups.ts';
import { sayRetention } from '#server/domain/person/retention.ts';
import type { Ctx } from '#server/services/context.ts';
import { siteForOffice } from '#server/services/site/site.ts';
import { retentionForOffice } from '#server/services/site/retention.ts';

export async function processingRegister(ctx: Ctx) {
  const { organiser, support } = await siteForOffice(ctx);
  const { kinds, fixed } = await retentionForOffice(ctx);
  return {
    drawn_up_at: ctx.now(),
    organiser,
    support,
    processings: processings.map((processing) => ({ ...processing })),
    receivers: receiversOf(ctx),
    retention: [
      ...kinds.map(({ kind, label, value, from, law }) => ({
        label,
        time: `${sayRetention(kind, value)} ${from}`,
        law,
      })),
      ...fixed,
    ],
    backups: keptWords(ctx.backups.keep),
    consent: noMarketing,
    measures: [...measures, ...ownMeasures(ctx)],
  };
}

/** Who receives data; this depends on how this installation is set up. */
function receiversOf(ctx: Ctx) {
  const { standins, mail } = ctx;
  const { monitoring } = ctx.settings;
  return [
    standins.stripe
      ? { name: 'Pagamenti', words: 'Prova in casa: nessun dato esce.' }
      : {
          name: 'Stripe (Irlanda)',
          words: 'Titolare autonomo per i pagamenti: nome, e-mail, telefono, carta, somma.',
        },
    standins.seatsio
      ? { name: 'Pianta dei posti', words: 'In casa: nessun dato esce.' }
      : {
          name: 'seats.io (Belgio)',
          words: 'Responsabile del trattamento: posti e numeri d’ordine, senza nomi.',
        },
    mail.leaves
      ? {
          name: 'Fornitore della posta (SMTP)',
          words: `Responsabile del trattamento: indirizzo e testo dei messaggi. Mittente ${mail.from}.`,
        }
      : { name: 'Posta', words: 'Non impostata: i messaggi restano qui.' },
    ...(monitoring?.sentry
      ? [{ name: 'Segnalazione degli errori', words: 'Con consenso, testi e immagini nascosti.' }]
      : []),
    ...(monitoring?.analytics ? [{ name: 'Conteggio delle visite', words: 'Con consenso.' }] : []),
  ];
}

function ownMeasures({ settings, secretsKey, backups }: Ctx): string[] {
  return [
    settings.secondFactor === 'required'
      ? 'Qui il secondo fattore è obbligatorio per amministratori e ufficio.'
      : 'Qui il secondo fattore è facoltativo.',
    secretsKey === null
      ? 'Qui i segreti dei codici non sono cifrati (manca SECRETS_KEY).'
      : 'Qui i segreti dei codici sono cifrati con una chiave tenuta fuori dal database.',
    backups.seal === null
      ? 'Qui le copie di sicurezza non sono cifrate.'
      : 'Qui le copie di sicurezza sono cifrate.',
    isPostgresAddress(backups.house.database)
      ? 'I dati stanno in PostgreSQL.'
      : 'I dati stanno in un file SQLite di questo computer.',
  ];
}
