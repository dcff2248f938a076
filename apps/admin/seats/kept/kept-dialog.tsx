/** The frame of dialogs that keep seats back: fields, seats that are not free, buttons. */
import type { FormEvent, ReactNode, Ref } from 'react';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { Taken } from './terms-fields.tsx';
import type { KeptTerms, useKeptForm } from './use-kept-form.ts';

/** The properties of both dialogs. */
export interface KeptDialogProps<Terms extends KeptTerms> {
  title: string;
  submitLabel: string;
  /** ISO time of the event's start. */
  startsAt: string;
  /** The seats to keep; missing if only the terms change. */
  objects?: readonly string[];
  nameOf?: (object: string) => string;
  /** How many places of a standing area are free. */
  areaFree?: number;
  onSubmit: (
    terms: Terms,
    what: { objects: readonly string[]; places: number },
  ) => Promise<unknown>;
  /** Gets the seats that were not free. */
  onRefused?: (objects: readonly string[]) => void;
  onClose: () => void;
}

interface FrameProps extends Pick<
  KeptDialogProps<KeptTerms>,
  'title' | 'submitLabel' | 'objects' | 'nameOf' | 'onClose'
> {
  form: Pick<ReturnType<typeof useKeptForm>, 'busy' | 'failure' | 'taken'>;
  /** False while something is missing. */
  isReady: boolean;
  /** The button's label when some seats were not free and `count` are left. */
  othersLabel: (count: number) => string;
  onSend: (objects: readonly string[]) => Promise<void>;
  children: ReactNode;
}

export function KeptDialog({ form, isReady, objects = [], onSend, ...props }: FrameProps) {
  return (
    <Modal title={props.title} onClose={props.onClose}>
      <form
        className={formStyles.stack}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (!form.busy) void onSend(objects);
        }}
      >
        {props.children}
        <Taken
          taken={form.taken}
          others={objects.filter((object) => !form.taken.includes(object))}
          nameOf={props.nameOf}
          sendLabel={props.othersLabel}
          onSend={isReady ? onSend : null}
        />
        <FormActions
          busy={form.busy}
          failure={form.failure}
          onCancel={props.onClose}
          submitLabel={props.submitLabel}
          disabled={!isReady}
        />
      </form>
    </Modal>
  );
}

interface PlacesFieldProps {
  ref?: Ref<HTMLInputElement>;
  /** Undefined for named seats, which need no number. */
  areaFree: number | undefined;
  /** Shown below the number instead of how many are free. */
  hint?: string | undefined;
  places: string;
  onChange: (places: string) => void;
}

export function PlacesField({ ref, areaFree, hint, places, onChange }: PlacesFieldProps) {
  if (areaFree === undefined) return null;
  return (
    <TextField
      ref={ref}
      label="Quanti posti"
      hint={hint ?? `Liberi adesso: ${areaFree.toLocaleString('it-IT')}.`}
      inputMode="numeric"
      required
      value={places}
      onChange={onChange}
    />
  );
}
