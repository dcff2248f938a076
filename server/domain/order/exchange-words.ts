/** What is said about an exchange of tickets, in Italian (RULES M6, M7). */
import { withOther } from '#server/domain/text/newer-word.ts';
import { creditWords } from './order-words.ts';
import type { BackWay, ExchangeEnd, ExchangeObstacle } from './exchange.ts';

/** Why tickets cannot be exchanged. */
export const exchangeObstacleWords = withOther<Record<ExchangeObstacle, string>>(
  {
    not_confirmed: 'Questo ordine non è confermato.',
    not_offered: 'Per questo spettacolo non si può cambiare data.',
    too_late: 'Il tempo per cambiare data è passato.',
    event_past: 'La serata di questi biglietti è finita.',
    event_cancelled: 'La serata di questi biglietti è annullata: sono da rimborsare.',
    already_asked: 'Per un biglietto è già chiesto il rimborso.',
    ticket_gone: 'Un biglietto non vale più.',
    ticket_used: 'Con un biglietto qualcuno è già entrato.',
    in_exchange: 'Per un biglietto c’è già un cambio che aspetta il pagamento.',
    whole_object: 'Un tavolo si cambia tutto intero: scegli tutti i suoi posti.',
    disputed: 'Il pagamento è contestato in banca.',
    nothing_chosen: 'Scegli i biglietti da cambiare.',
    same_date: 'I posti nuovi sono della stessa data: per quelli c’è lo spostamento.',
    too_little:
      'La differenza è di pochi centesimi, che online non si possono pagare: chiedi alla biglietteria.',
  },
  'Questi biglietti non si possono cambiare.',
);

export const exchangeEndWords = withOther<Record<ExchangeEnd, string>>(
  {
    unpaid: 'non pagato in tempo: i biglietti di prima valgono ancora',
    changed: 'nel frattempo i biglietti di prima sono cambiati',
  },
  'il cambio non è avvenuto',
);

export const backWayWords = withOther<Record<BackWay, string>>(
  {
    stripe: 'online, sul metodo con cui ha pagato',
    drawer: 'a mano adesso, dalla tua cassa',
    office: 'a mano, e lo fa l’ufficio',
    mixed: 'in parte online, sul metodo con cui ha pagato; il resto a mano, e lo fa l’ufficio',
  },
  'come è stato pagato',
);

/** The same to the buyer who chooses. */
export const ownBackWords = withOther<Record<BackWay, string>>(
  {
    stripe: `Torna sul metodo con cui hai pagato. ${creditWords}`,
    drawer: 'Lo restituisce la biglietteria.',
    office: 'Lo restituisce la biglietteria, come hai pagato.',
    mixed: `In parte torna sul metodo con cui hai pagato online, il resto lo restituisce la biglietteria. ${creditWords}`,
  },
  'Torna come hai pagato.',
);

/** The one item of Stripe's page. */
export const differenceName = 'Differenza per cambio data';
