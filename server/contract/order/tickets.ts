/** A ticket as its holder and the office see it. */
import * as v from 'valibot';
import { ticketStates } from '#server/domain/door/admission.ts';
import { holderObstacles, holderSteps } from '#server/domain/order/holder.ts';
import { timeOut } from '#server/contract/endpoint.ts';

/**
 * `code` is the text of the QR (31 characters, alphanumeric mode), `code_for_people` the same in
 * groups of four; both are empty while a nominative event lacks the holder's name. `price_cents`
 * is the ticket's price without the presale fee `fee_cents`. `trial`: the ticket was not paid
 * with real money, says PROVA and opens no door. `gate` is the gate that its guest must use,
 * null: any gate. `entrance` is the door or stairs of the hall that lead to the seat, as the
 * drawing names it. `holder_step` is the change of holder that is possible now, `holder_obstacle`
 * why none is. `fiscal`: the seal that a recognised ticketing system issued; null: there is none.
 */
export const ticket = v.object({
  ticket_id: v.string(),
  state: v.picklist(ticketStates),
  seat: v.string(),
  /** What is special about the place, such as "visibilità limitata". */
  remarks: v.array(v.string()),
  category: v.string(),
  ticket_type: v.string(),
  type_label: v.string(),
  price_cents: v.number(),
  fee_cents: v.number(),
  service_cents: v.number(),
  trial: v.boolean(),
  /** The free place was let go; the ticket ends once another guest has it. */
  let_go: v.boolean(),
  holder: v.nullable(v.string()),
  holder_step: v.nullable(v.picklist(holderSteps)),
  holder_obstacle: v.nullable(v.picklist(holderObstacles)),
  gate: v.nullable(v.string()),
  entrance: v.nullable(v.string()),
  code: v.string(),
  code_for_people: v.string(),
  admitted_at: v.nullable(timeOut),
  fiscal: v.nullable(
    v.object({
      seal: v.string(),
      progressive: v.nullable(v.string()),
      card: v.nullable(v.string()),
    }),
  ),
});
