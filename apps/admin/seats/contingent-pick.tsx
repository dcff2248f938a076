/** Asks which contingent gets or gives back the chosen seats. */
import { useState } from 'react';
import { formatCount } from '#apps/shared/format.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { KeptDialog, PlacesField } from '#apps/admin/seats/kept/kept-dialog.tsx';
import type { Contingent } from '#apps/admin/seats/kept/use-contingents.ts';
import { useKeptForm } from '#apps/admin/seats/kept/use-kept-form.ts';

interface ContingentPickProps {
  title: string;
  submitLabel: string;
  /** The list is not empty. */
  contingents: readonly Contingent[];
  objects?: readonly string[];
  nameOf?: (object: string) => string;
  /** How many places of the standing area can be chosen. */
  areaFree?: number;
  /** Explains that number. */
  placesHint?: string;
  onSubmit: (
    contingent: Contingent,
    what: { objects: readonly string[]; places: number },
  ) => Promise<unknown>;
  onRefused?: (objects: readonly string[]) => void;
  onClose: () => void;
}

/** The form needs these values, but this dialog does not show or send them. */
const noTerms = { color: 'violet', release_at: null } as const;

export function ContingentPick({
  contingents,
  areaFree,
  placesHint,
  ...props
}: ContingentPickProps) {
  const [id, setId] = useState<string | null>(null);
  const { onRefused } = props;
  const form = useKeptForm({
    start: noTerms,
    ...(areaFree === undefined ? {} : { areaFree }),
    ...(onRefused === undefined ? {} : { onRefused }),
  });
  const picked = requireValue(
    contingents.find(({ contingent_id }) => contingent_id === id) ?? contingents[0],
    'contingent',
  );
  return (
    <KeptDialog
      {...props}
      form={form}
      isReady
      othersLabel={(count) => (count === 1 ? 'Aggiungi l’altro' : `Aggiungi gli altri ${count}`)}
      onSend={(objects) =>
        form.send(null, (_, places) => props.onSubmit(picked, { objects, places }))
      }
    >
      <Radios
        legend="Contingente"
        value={picked.contingent_id}
        options={contingents.map(optionOf)}
        onChange={setId}
      />
      <PlacesField
        areaFree={areaFree}
        hint={placesHint}
        places={form.places}
        onChange={form.setPlaces}
      />
    </KeptDialog>
  );
}

function optionOf({ contingent_id, name, code, places, sold }: Contingent) {
  const way = code === null ? 'solo alla cassa' : `codice ${code}`;
  return [
    contingent_id,
    name,
    `${formatCount(places, 'posto', 'posti')}, ${formatCount(sold, 'venduto', 'venduti')}; ${way}.`,
  ] as const;
}
