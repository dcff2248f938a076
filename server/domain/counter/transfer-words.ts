/** Why an order cannot go to another date with the others, in Italian (RULES E7). */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import type { TransferObstacle } from './transfer.ts';

/** Stands with the price by hand, and with tickets that are given away again. */
export const movedByHouse = 'Data cambiata dal teatro';

export const transferObstacleWords = withOther<Record<TransferObstacle, string>>(
  {
    answered: 'ha già risposto, o non ha più biglietti validi',
    refund_asked: 'per un biglietto è già chiesto il rimborso',
    ticket_used: 'con un biglietto qualcuno è già entrato',
    in_exchange: 'sta già cambiando data da solo',
    disputed: 'il pagamento è contestato in banca',
    no_room: 'i suoi posti non ci stanno tutti',
    no_wheelchair_place: 'non c’è un posto libero per la carrozzina',
    kind_missing: 'non c’è un posto libero dello stesso genere',
    no_price: 'là il suo tipo di biglietto non si vende',
    date_closed: 'quella data non è più in vendita',
  },
  newerWord,
);
