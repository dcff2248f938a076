/** Until when the buyers of an event that has moved answer, and what silence means (RULES E3). */
import type { PostponementAnswer } from '#server/domain/event/postponement.ts';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import type { WallTime } from '#apps/admin/kit/form/wall-time.ts';
import { TimeField } from './form/time-field.tsx';

interface AnswerProps {
  until: WallTime;
  onUntil: (until: WallTime) => void;
  error?: string | null;
  if_silent: PostponementAnswer;
  onSilent: (answer: PostponementAnswer) => void;
}

export function AnswerFields({ until, onUntil, error, if_silent, onSilent }: AnswerProps) {
  return (
    <>
      <TimeField
        label="Rispondono entro"
        value={until}
        onChange={onUntil}
        error={error}
        hint="Fino ad allora ognuno sceglie se tenere il biglietto o avere il rimborso."
      />
      <Radios
        legend="Chi non risponde"
        value={if_silent}
        onChange={onSilent}
        options={[
          ['keep', 'Tiene il biglietto'],
          ['refund', 'Viene rimborsato', 'I suoi biglietti smettono di valere.'],
        ]}
      />
    </>
  );
}
