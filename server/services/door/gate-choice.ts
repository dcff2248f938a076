/** The gate that the person at the door chooses on the phone. */
import { chooseGate, findPhone } from '#db/door/phones.ts';
import type { PhoneRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { gatesIn, isSameGate } from '#server/domain/door/gate.ts';
import { nobodysGate } from '#server/domain/door/rehearsal.ts';
import { pricingOf } from '#server/domain/price/pricing.ts';
import type { Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';

/** What the person chose, and the gate that the phone had before. */
export interface GateChoice {
  gate: string | null;
  over: string | null;
}

/** The gates that a phone of this event may stand at. */
export function gatesOfEvent(event: { seat_pricing: string }): string[] {
  return gatesIn(pricingOf(event)).filter((gate) => gate !== nobodysGate);
}

/**
 * Takes over a choice unless the office has changed the gate since; `gates`: those of the phone's
 * events. Returns the phone as it is then.
 */
export async function takeGateChoice(
  ctx: Ctx,
  phone: PhoneRow,
  { choice, gates }: { choice: GateChoice; gates: readonly string[] },
): Promise<PhoneRow> {
  const { gate, over } = choice;
  const isOffered = gate === null || gates.some((one) => isSameGate(one, gate));
  if (isOffered && gate !== over)
    await transact(ctx.db, async (trx) => {
      if (!(await chooseGate(trx, phone.id, choice))) return;
      await happened(ctx, trx, {
        actor: `phone:${phone.id}`,
        action: 'phone_changed',
        subject: phone.id,
        detail: { from: { gate: over }, to: { gate } },
      });
    });
  return (await findPhone(ctx.db, phone.id)) ?? phone;
}
