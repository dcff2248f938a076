/**
 * The gate at which this phone stands. The person at the door may choose it where the office lets
 * them; what the office changes afterwards counts.
 */
import { isSameGate } from '#server/domain/door/gate.ts';
import { refresh, type Phone } from '#apps/scanner/list/memory.ts';
import { changeDevice, type Device, type Identity } from '#apps/scanner/kit/store.ts';

/** The gates of an event; empty: its tickets may enter anywhere, or an older server is silent. */
export function gatesOf({ events }: Pick<Device, 'events'>, event_id: string): readonly string[] {
  return events.find(({ id }) => id === event_id)?.gates ?? [];
}

/** Whether this event has gates, and the phone's is none of them: it would refuse everybody. */
export function isStrangeGate(device: Pick<Device, 'gate' | 'events'>, event_id: string): boolean {
  const { gate } = device;
  const gates = gatesOf(device, event_id);
  return gate !== null && gates.length > 0 && !gates.some((one) => isSameGate(one, gate));
}

/** Counts for the next scan, and is told to the server with the next contact. */
export async function chooseGate(phone: Phone, gate: string | null): Promise<void> {
  const { device } = phone.memory;
  if (!device) return;
  await changeDevice(phone.db, device, (now) => {
    const over = now.gate_choice ? now.gate_choice.over : now.gate;
    return { gate, gate_choice: gate === over ? undefined : { gate, over } };
  });
  await refresh(phone);
}

/**
 * Takes the answer to a contact that told the choice `told`: what was chosen while the answer was
 * on its way is not undone by it.
 */
export async function settleChoice(
  { db }: Phone,
  device: Device,
  { told, identity }: { told: Device['gate_choice']; identity: Identity },
): Promise<Identity> {
  let taken = identity;
  await changeDevice(db, device, ({ gate, gate_choice }) => {
    const isLater = gate_choice !== undefined && gate_choice.gate !== told?.gate;
    if (!isLater) return { gate: identity.gate, gate_choice: undefined };
    taken = { ...identity, gate };
    return {};
  });
  return taken;
}
