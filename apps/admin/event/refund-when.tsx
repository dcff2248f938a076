/** At a cancelled evening: all is refunded now, or the buyers are asked first (RULES E5). */
import { isAskTime } from '#server/domain/event/cancellation.ts';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { TimeField } from './form/time-field.tsx';
import { instantOf, type WallTime } from '#apps/admin/kit/form/wall-time.ts';

export type When = 'now' | 'ask';

interface RefundWhenProps {
  when: When;
  onWhen: (when: When) => void;
  until: WallTime;
  onUntil: (until: WallTime) => void;
}

export function RefundWhen({ when, onWhen, until, onUntil }: RefundWhenProps) {
  return (
    <>
      <Radios
        legend="I rimborsi"
        value={when}
        onChange={onWhen}
        options={[
          ['now', 'Rimborsa subito'],
          [
            'ask',
            'Chiedi prima',
            'Ognuno sceglie: il rimborso, un’altra data, o lasciare il denaro al teatro. Chi non risponde viene rimborsato.',
          ],
        ]}
      />
      {when === 'ask' && (
        <TimeField
          label="Rispondono entro"
          value={until}
          onChange={onUntil}
          hint="Al più 60 giorni. Chi vuole il rimborso lo ha appena lo dice."
          error={faultOf(until)}
        />
      )}
    </>
  );
}

function faultOf(until: WallTime): string | null {
  const at = instantOf(until);
  return at === null || isAskTime(at, Date.now())
    ? null
    : 'Scegli un momento da adesso a 60 giorni.';
}
