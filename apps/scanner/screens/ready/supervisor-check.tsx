/**
 * The supervisors that this steward's phone may ask at this event; if there are none, the office
 * must act before the doors open.
 */
import type { Device, StoredEvent } from '#apps/scanner/kit/store.ts';
import { Check } from './check.tsx';

interface SupervisorCheckProps {
  device: Device;
  event: StoredEvent | null;
}

/** Renders nothing where the phone asks no supervisor. */
export function SupervisorCheck({ device, event }: SupervisorCheckProps) {
  if (!device.asks_supervisor || event === null) return null;
  const names = device.supervisors
    .filter(({ event_ids }) => event_ids.includes(event.event_id))
    .map(({ name }) => name);
  const isAlone = names.length === 0;
  return (
    <Check
      name="supervisors"
      mark={isAlone ? 'warn' : 'good'}
      title="Responsabile"
      text={
        isAlone
          ? 'Nessun telefono di responsabile è abbinato a questo evento: le eccezioni le fa l’ufficio'
          : `Per le eccezioni: ${names.join(', ')}`
      }
    />
  );
}
