/**
 * `rotate SECRET`: replaces a secret. The old one ends immediately, or is valid for a while
 * together with the new one.
 */
import { countOldSeals } from '#server/services/event/secrets.ts';
import { countOldProgramSeals } from '#server/services/program/addresses.ts';
import { endEverySession } from '#server/services/user/sessions.ts';
import { rotateTickets } from './rotate-tickets.ts';
import { cliActor, Misused, readWords, type Command, type CommandIo } from './command.ts';

const secrets: Record<string, (io: CommandIo, words: string[]) => Promise<void>> = {
  sessions: alone(rotateSessions),
  webhook: alone(rotateWebhook),
  key: alone(rotateKey),
  tickets: rotateTickets,
};

/** The remaining words of the command for each secret. */
const wordsOf: Record<string, string> = { tickets: ' EVENTO [--reissue | --end]' };

export const rotate: Command = {
  name: 'rotate',
  usage: Object.keys(secrets).map((name) => `rotate ${name}${wordsOf[name] ?? ''}`),
  help: 'Cambia un segreto: le sessioni di tutti, il segreto del webhook, la SECRETS_KEY, il segreto dei codici di una data.',
  more: [
    '  sessions: chi lavora qui entra di nuovo con la password; finiscono anche i browser conosciuti e i link per una nuova password.',
    '  Con una data: i suoi codici nascono da un altro segreto, e quelli già emessi valgono ancora. Se il segreto è stato',
    '  rubato, --reissue dà poi a tutti un codice nuovo; --end toglie il segreto di prima. EVENTO è l’ultima parte',
    '  dell’indirizzo della pagina dell’evento.',
    '  Con gli altri due dice che cosa scrivere, e se il valore di prima si può già togliere.',
  ],
  async run(words, io) {
    const [name = ''] = words;
    if (name === '') throw new Misused('Manca qualcosa.');
    if (!Object.hasOwn(secrets, name)) throw new Misused(`Non so cambiare «${name}».`);
    await secrets[name]!(io, words);
    return 0;
  },
};

/** The command for a secret whose change takes no further arguments. */
function alone(change: (io: CommandIo) => Promise<void>) {
  return async (io: CommandIo, words: string[]): Promise<void> => {
    readWords(words, { least: 1 });
    await change(io);
  };
}

async function rotateSessions(io: CommandIo): Promise<void> {
  const { ctx } = await io.open();
  const ended = await endEverySession(ctx, cliActor);
  io.say(`Sessioni chiuse: ${ended}.`);
  io.report({ ok: true, ended });
}

/** After a change Stripe uses both secrets for a day; we accept both while both are set. */
async function rotateWebhook(io: CommandIo): Promise<void> {
  const valid = (io.config.stripe?.webhookSecret ?? '').split(',').filter(Boolean).length;
  if (valid > 1) {
    io.say('Valgono due segreti. Quando Stripe usa solo il nuovo, togli la virgola e il vecchio');
    io.say('da STRIPE_WEBHOOK_SECRET e riavvia.');
  } else {
    io.say('1. In Stripe, sul webhook, rinnova il segreto e lascia valere il vecchio per 24 ore.');
    io.say('2. Scrivi STRIPE_WEBHOOK_SECRET=NUOVO,VECCHIO e riavvia.');
    io.say('3. Il giorno dopo togli la virgola e il vecchio, e riavvia.');
  }
  io.report({ ok: true, valid });
}

/**
 * Asks for a restart: a process reads its keys when it starts, and only then encrypts everything
 * with the new one.
 */
async function rotateKey(io: CommandIo): Promise<void> {
  const { secretsKey, secretsKeysBefore } = io.config;
  const before = secretsKeysBefore.length;
  const { ctx } = await io.open();
  const left =
    secretsKey === null
      ? null
      : (await countOldSeals(ctx, secretsKey)) + (await countOldProgramSeals(ctx, secretsKey));
  if (before > 0 && left === 0) {
    io.say('Tutto è sigillato con la chiave nuova: togli la virgola e la vecchia da SECRETS_KEY e');
    io.say('riavvia. Tieni la vecchia su carta finché ci sono copie fatte con quella.');
  } else {
    io.say('1. Fai una chiave nuova: openssl rand -base64 32; scrivila su carta.');
    io.say('2. Scrivi SECRETS_KEY=NUOVA,VECCHIA e riavvia; due processi, fermali prima entrambi.');
    io.say('3. Ridai questo comando: dice quando la vecchia si può togliere.');
  }
  io.report({ ok: true, before, left });
}
