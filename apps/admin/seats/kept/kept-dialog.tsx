/** The frame of the dialogs that keep seats back: fields, seats not free, buttons. */
import type { FormEvent, ReactNode, Ref } from 'react';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { Taken } from './terms-fields.tsx';
import type { KeptTerms, useKeptForm } from './use-kept-form.ts';

/** The properties that both dialogs take. */
export interface KeptDialogProps<Terms extends KeptTerms> {
  title: string;
  submitLabel: string;
  /** When the evening begins. */
  startsAt: string;
  /** The seats to keep; none where only the terms change. */
  objects?: readonly string[];
  nameOf?: (object: string) => string;
  /** How many places of a standing area are free. */
  areaFree?: number;
  onSubmit: (
    terms: Terms,
    what: { objects: readonly string[]; places: number },
  ) => Promise<unknown>;
  /** Called with the seats that were not free. */
  onRefused?: (objects: readonly string[]) => void;
  onClose: () => void;
}

interface FrameProps extends Pick<
  KeptDialogProps<KeptTerms>,
  'title' | 'submitLabel' | 'objects' | 'nameOf' | 'onClose'
> {
  form: Pick<ReturnType<typeof useKeptForm>, 'busy' | 'failure' | 'taken'>;
  /** False: something is missing yet. */
  isReady: boolean;
  /** For the seats that are left when some were not free. */
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
  /** Undefined for seats, which are not counted. */
  areaFree: number | undefined;
  /** Beneath the number, instead of how many are free. */
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
