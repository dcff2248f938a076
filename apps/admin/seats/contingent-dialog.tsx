/** Asks whom seats are kept for, how they are sold, in which colour and until when; for a standing area also how many. */
import { useEffect, useRef, useState, type FormEvent } from 'react';
import {
  longestContingentName,
  spellCode,
  type ContingentSale,
} from '#server/domain/contingent.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { tellFailure } from '#apps/admin/kit/loaded.tsx';
import { Notice } from '#apps/admin/kit/notice.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { newCode } from './new-code.ts';
import { fieldOf, isoOf, releaseFault, takenOf } from './release-time.ts';
import type { OfficeSeat } from './seats.ts';
import { Colors, Release, Taken } from './terms-fields.tsx';
import type { Contingent, ContingentTerms } from './use-contingents.ts';

export interface ContingentDialogProps {
  title: string;
  submitLabel: string;
  /** One that is changed. */
  start?: Contingent;
  /** When the evening begins. */
  startsAt: string;
  /** What is kept; none where only the terms change. */
  objects?: readonly string[];
  /** Wheelchair spaces among them without the companion's seat. */
  alone?: readonly OfficeSeat[];
  nameOf?: (object: string) => string;
  /** Of a standing area: how many places are free. */
  areaFree?: number;
  onSubmit: (
    terms: ContingentTerms,
    what: { objects: readonly string[]; places: number },
  ) => Promise<unknown>;
  /** They were not free. */
  onRefused?: (objects: readonly string[]) => void;
  onClose: () => void;
}

const waysToSell = [
  [
    'code',
    'Con un codice',
    'Sul sito chi lo scrive vede e compra questi posti; alla cassa sempre.',
  ],
  ['counter', 'Solo alla cassa', 'Sul sito nessuno può comprarli.'],
] as const;

function useContingentForm(props: ContingentDialogProps) {
  const { start, areaFree, onRefused } = props;
  const [name, setName] = useState(start?.name ?? '');
  const [color, setColor] = useState(start?.color ?? 'violet');
  const [sale, setSale] = useState<ContingentSale>(start?.sale ?? 'code');
  const [code, setCode] = useState(() => start?.code ?? newCode());
  const [release, setRelease] = useState(fieldOf(start?.release_at ?? null));
  const [places, setPlaces] = useState(areaFree === undefined ? '' : '1');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [taken, setTaken] = useState<readonly string[]>([]);

  async function send(objects: readonly string[]) {
    const fault = faultOf({ sale, code, release, places, areaFree });
    setTaken([]);
    setFailure(fault);
    if (fault !== null) return;
    setBusy(true);
    // Untouched, an hour that comes twice in a night stays the one it was.
    const isSame = start !== undefined && release === fieldOf(start.release_at);
    try {
      await props.onSubmit(
        {
          name: name.trim(),
          color,
          sale,
          code: sale === 'code' ? code : null,
          release_at: isSame ? start.release_at : isoOf(release),
        },
        { objects, places: Number(places) },
      );
    } catch (error) {
      const refused = takenOf(error);
      if (areaFree === undefined) setTaken(refused);
      if (refused.length > 0) onRefused?.(refused);
      setFailure(tellFailure(error));
    } finally {
      setBusy(false);
    }
  }
  return {
    fields: { name, color, sale, code, release, places },
    set: { setName, setColor, setSale, setCode, setRelease, setPlaces },
    busy,
    failure,
    taken,
    send,
  };
}

export function ContingentDialog(props: ContingentDialogProps) {
  const { title, submitLabel, objects = [], alone = [] } = props;
  const form = useContingentForm(props);
  const hasName = form.fields.name.trim() !== '';
  return (
    <Modal title={title} onClose={props.onClose}>
      <form
        className={formStyles.stack}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (!form.busy) void form.send(objects);
        }}
      >
        {alone.length > 0 && (
          <Notice>
            Senza il posto accanto per chi accompagna: {alone.map((seat) => seat.name).join('; ')}.
          </Notice>
        )}
        <Terms form={form} areaFree={props.areaFree} startsAt={props.startsAt} />
        <Taken
          taken={form.taken}
          others={objects.filter((object) => !form.taken.includes(object))}
          nameOf={props.nameOf}
          sendLabel={(count) => (count === 1 ? 'Riserva l’altro' : `Riserva gli altri ${count}`)}
          onSend={hasName ? form.send : null}
        />
        <FormActions
          busy={form.busy}
          failure={form.failure}
          onCancel={props.onClose}
          submitLabel={submitLabel}
          disabled={!hasName}
        />
      </form>
    </Modal>
  );
}

interface TermsProps {
  form: ReturnType<typeof useContingentForm>;
  areaFree: number | undefined;
  startsAt: string;
}

function Terms({ form: { fields, set }, areaFree, startsAt }: TermsProps) {
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <>
      <TextField
        ref={first}
        label="Nome"
        hint="Lo legge anche chi usa il codice: «Amici del teatro», «Scuola Manzoni»."
        required
        maxLength={longestContingentName}
        value={fields.name}
        onChange={set.setName}
      />
      {areaFree !== undefined && (
        <TextField
          label="Quanti posti"
          hint={`Liberi adesso: ${areaFree.toLocaleString('it-IT')}.`}
          inputMode="numeric"
          required
          value={fields.places}
          onChange={set.setPlaces}
        />
      )}
      <Radios
        legend="Come si vendono"
        value={fields.sale}
        options={waysToSell}
        onChange={set.setSale}
      />
      {fields.sale === 'code' && (
        <>
          <TextField
            label="Codice"
            hint="Da 5 a 30 lettere e cifre. Maiuscole, spazi e trattini non contano."
            required
            maxLength={60}
            value={fields.code}
            onChange={set.setCode}
          />
          <div>
            <Button small onClick={() => set.setCode(newCode())} label="Proponi un altro codice" />
          </div>
        </>
      )}
      <Colors color={fields.color} onChange={set.setColor} />
      <Release
        release={fields.release}
        onChange={set.setRelease}
        startsAt={startsAt}
        hint="Ora di Roma. Da allora li compra chiunque. Vuoto: restano riservati finché qualcuno li libera."
        hoursBefore={24}
      />
    </>
  );
}

/** What can be said without asking the server. */
function faultOf(ask: {
  sale: ContingentSale;
  code: string;
  release: string;
  places: string;
  areaFree: number | undefined;
}): string | null {
  if (ask.areaFree !== undefined && !/^[1-9]\d{0,5}$/.test(ask.places.trim()))
    return 'Scrivi quanti posti, con un numero intero.';
  if (ask.sale === 'code' && spellCode(ask.code) === null)
    return 'Il codice ha da 5 a 30 lettere e cifre, senza accenti.';
  return releaseFault(ask.release);
}
