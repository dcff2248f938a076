/** Asks whom seats are kept for, how they are sold, their colour and until when. */
import { useEffect, useRef, useState } from 'react';
import {
  longestContingentName,
  spellCode,
  type ContingentSale,
} from '#server/domain/seat/contingent.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { KeptDialog, PlacesField, type KeptDialogProps } from './kept-dialog.tsx';
import { newCode } from './new-code.ts';
import type { OfficeSeat } from '#apps/admin/seats/seats.ts';
import { Colors, Release } from './terms-fields.tsx';
import type { Contingent, ContingentTerms } from './use-contingents.ts';
import { useKeptForm, type KeptTerms } from './use-kept-form.ts';

interface ContingentDialogProps extends KeptDialogProps<ContingentTerms & KeptTerms> {
  /** The contingent to change. */
  start?: Contingent;
  /** Wheelchair spaces without a companion seat. */
  alone?: readonly OfficeSeat[];
}

const waysToSell = [
  [
    'code',
    'Con un codice',
    'Sul sito chi lo scrive vede e compra questi posti; alla cassa sempre.',
  ],
  ['counter', 'Solo alla cassa', 'Sul sito nessuno può comprarli.'],
] as const;

const firstTerms: KeptTerms = { color: 'violet', release_at: null };

export function ContingentDialog({ start, alone = [], ...props }: ContingentDialogProps) {
  const { startsAt, areaFree, onSubmit } = props;
  const [name, setName] = useState(start?.name ?? '');
  const [sale, setSale] = useState<ContingentSale>(start?.sale ?? 'code');
  const [code, setCode] = useState(() => start?.code ?? newCode());
  const form = useKeptForm({ start: start ?? firstTerms, ...props });
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const own = { name: name.trim(), sale, code: sale === 'code' ? code : null };
  return (
    <KeptDialog
      {...props}
      form={form}
      isReady={own.name !== ''}
      othersLabel={(count) => (count === 1 ? 'Riserva l’altro' : `Riserva gli altri ${count}`)}
      onSend={(objects) =>
        form.send(codeFault(own.code), (kept, places) =>
          onSubmit({ ...own, ...kept }, { objects, places }),
        )
      }
    >
      <Alone seats={alone} />
      <TextField
        ref={first}
        label="Nome"
        hint="Lo legge anche chi usa il codice: «Amici del teatro», «Scuola Manzoni»."
        required
        maxLength={longestContingentName}
        value={name}
        onChange={setName}
      />
      <PlacesField areaFree={areaFree} places={form.places} onChange={form.setPlaces} />
      <Radios legend="Come si vendono" value={sale} options={waysToSell} onChange={setSale} />
      {sale === 'code' && <CodeField code={code} onChange={setCode} />}
      <Colors color={form.color} onChange={form.setColor} />
      <Release
        release={form.release}
        onChange={form.setRelease}
        startsAt={startsAt}
        hint="Ora di Roma. Da allora li compra chiunque. Vuoto: restano riservati finché qualcuno li libera."
        hoursBefore={24}
      />
    </KeptDialog>
  );
}

function Alone({ seats }: { seats: readonly OfficeSeat[] }) {
  if (seats.length === 0) return null;
  return (
    <Notice>
      Senza il posto accanto per chi accompagna: {seats.map((seat) => seat.name).join('; ')}.
    </Notice>
  );
}

function CodeField({ code, onChange }: { code: string; onChange: (code: string) => void }) {
  return (
    <>
      <TextField
        label="Codice"
        hint="Da 5 a 30 lettere e cifre. Maiuscole, spazi e trattini non contano."
        required
        maxLength={60}
        value={code}
        onChange={onChange}
      />
      <div>
        <Button small onClick={() => onChange(newCode())} label="Proponi un altro codice" />
      </div>
    </>
  );
}

/** Null: the code is valid, or none is needed at the counter. */
function codeFault(code: string | null): string | null {
  return code !== null && spellCode(code) === null
    ? 'Il codice ha da 5 a 30 lettere e cifre, senza accenti.'
    : null;
}
