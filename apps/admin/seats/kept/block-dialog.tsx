/** Asks why seats are kept back, in which colour and until when, and how many in an area. */
import { useEffect, useRef, useState } from 'react';
import { longestReason } from '#server/domain/seat/block.ts';
import { Suggestions } from '#apps/admin/kit/form/suggestions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { usualReasons } from './block-words.ts';
import { KeptDialog, PlacesField, type KeptDialogProps } from './kept-dialog.tsx';
import { Colors, Release } from './terms-fields.tsx';
import { useKeptForm, type KeptTerms } from './use-kept-form.ts';

export interface Terms extends KeptTerms {
  reason: string;
}

interface BlockDialogProps extends KeptDialogProps<Terms> {
  /** The terms of an existing block. */
  start?: Terms;
}

const firstTerms: Terms = { reason: '', color: 'grey', release_at: null };

export function BlockDialog({ start = firstTerms, ...props }: BlockDialogProps) {
  const { startsAt, areaFree, onSubmit } = props;
  const [reason, setReason] = useState(start.reason);
  const form = useKeptForm({ start, ...props });
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <KeptDialog
      {...props}
      form={form}
      isReady={reason.trim() !== ''}
      othersLabel={(count) => (count === 1 ? 'Blocca l’altro' : `Blocca gli altri ${count}`)}
      onSend={(objects) =>
        form.send(null, (kept, places) =>
          onSubmit({ reason: reason.trim(), ...kept }, { objects, places }),
        )
      }
    >
      <PlacesField ref={first} areaFree={areaFree} places={form.places} onChange={form.setPlaces} />
      <TextField
        ref={areaFree === undefined ? first : undefined}
        label="Motivo"
        required
        maxLength={longestReason}
        list="block-reasons"
        value={reason}
        onChange={setReason}
      />
      <Suggestions
        id="block-reasons"
        options={usualReasons.map((usual) => [usual, usual] as const)}
      />
      <Colors color={form.color} onChange={form.setColor} />
      <Release
        release={form.release}
        onChange={form.setRelease}
        startsAt={startsAt}
        hint="Ora di Roma. Vuoto: resta bloccato finché qualcuno lo sblocca."
        hoursBefore={2}
      />
    </KeptDialog>
  );
}
