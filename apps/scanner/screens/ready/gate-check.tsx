/** At which gate the phone stands, and the dialog that chooses another one. */
import { useState } from 'react';
import { isSameGate } from '#server/domain/door/gate.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { gatesOf, isStrangeGate } from '#apps/scanner/device/gate.ts';
import type { Device } from '#apps/scanner/kit/store.ts';
import { phone } from '#apps/scanner/scan/phone.ts';
import parts from '#apps/scanner/screens/parts.module.css';
import { Check } from './check.tsx';

interface GateCheckProps {
  device: Device;
  event_id: string;
}

/** Nothing where the event has no gates and the phone is at none. */
export function GateCheck({ device, event_id }: GateCheckProps) {
  const [isOpen, setOpen] = useState(false);
  const { gate } = device;
  const gates = gatesOf(device, event_id);
  if (gates.length === 0 && gate === null) return null;
  const isStrange = isStrangeGate(device, event_id);
  return (
    <Check
      name="gate"
      mark={isStrange ? 'warn' : 'good'}
      title="Varco"
      text={gateText(gate, isStrange)}
      action={
        device.chooses_gate && (
          <button type="button" className="ui-button" onClick={() => setOpen(true)}>
            Cambia
          </button>
        )
      }
    >
      {isOpen && <GateChoice gate={gate} gates={gates} onClose={() => setOpen(false)} />}
    </Check>
  );
}

function gateText(gate: string | null, isStrange: boolean): string {
  if (gate === null) return 'Nessuno: legge i biglietti di tutti i varchi';
  return isStrange ? `${gate} non è un varco di questo evento` : gate;
}

interface GateChoiceProps {
  gate: string | null;
  gates: readonly string[];
  onClose: () => void;
}

function GateChoice({ gate, gates, onClose }: GateChoiceProps) {
  const choices = [...gates.map((one) => ({ to: one, words: one })), anyGate];
  return (
    <Modal title="A quale varco sei?" onClose={onClose}>
      <div className={parts.chips}>
        {choices.map(({ to, words }) => (
          <button
            key={words}
            type="button"
            className={parts.chip}
            aria-pressed={to === null || gate === null ? to === gate : isSameGate(to, gate)}
            onClick={() => {
              onClose();
              void phone.chooseGate(to).then(phone.syncNow);
            }}
          >
            {words}
          </button>
        ))}
      </div>
    </Modal>
  );
}

const anyGate = { to: null, words: 'Tutti i varchi' } as const;
