/** The look of the house: logo, colours, opening hours, mails and tickets, each with a preview. */
import { useEffect, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { readLook, writeLook } from '#server/contract/look.ts';
import { readHouse } from '#server/contract/site.ts';
import { keyOf } from '#apps/shared/query.ts';
import { goToField } from '#apps/admin/kit/form/form-section.tsx';
import { useFormQuery } from '#apps/admin/kit/form/form-query.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { Colours } from './colours.tsx';
import {
  checkLook,
  draftOf,
  faultsOfLookAnswer,
  valuesOfLook,
  type FormFaults,
  type StoredLook,
} from './look-form.ts';
import { Factor, Fee, Hours, Logo, Mails, Tickets } from './look-parts.tsx';
import { usePreview } from './look-preview.tsx';
import { SiteParts } from './parts.tsx';
import { SavedForm } from './saved-form.tsx';
import { useSavedForm } from './use-saved-form.ts';

export function LookScreen() {
  const look = useFormQuery(readLook, {});
  return (
    <>
      <PageTitle title="Sito e aspetto" />
      <SiteParts />
      <Loaded query={look}>{(data) => <LookForm look={data} />}</Loaded>
    </>
  );
}

function useLook(look: StoredLook) {
  const act = useAct();
  const client = useQueryClient();
  return useSavedForm({
    stored: look,
    valuesOf: valuesOfLook,
    check: (values): FormFaults => checkLook(values),
    async write(values, held) {
      const body = { ...draftOf(values), version: held.version };
      const next = { ...held, ...(await act(writeLook, { body })) };
      client.setQueryData(keyOf(readLook, {}), next);
      void client.invalidateQueries({ queryKey: keyOf(readHouse, {}) });
      return next;
    },
    faultsOf: faultsOfLookAnswer,
  });
}

function LookForm({ look }: { look: StoredLook }) {
  const form = useLook(look);
  const { values, faults, set } = form;
  const preview = usePreview(values);
  const section = { values, faults, set };
  return (
    <SavedForm form={form} notices={<FaultNotice faults={faults} />}>
      <Logo {...section} />
      <Colours {...section} />
      <Hours {...section} />
      <Mails {...section} address={look.mail_address} preview={preview} />
      <Tickets {...section} preview={preview} />
      <Fee {...section} />
      <Factor {...section} required={look.factor_required} />
    </SavedForm>
  );
}

/** Focuses the first faulty field; a fault of no field is read out. */
function FaultNotice({ faults }: { faults: FormFaults }) {
  const summary = useRef<HTMLDivElement>(null);
  const [first] = Object.keys(faults);
  useEffect(() => {
    const [field] = Object.keys(faults);
    if (field === 'form') summary.current?.focus();
    else if (field !== undefined) goToField(field);
  }, [faults]);
  if (first === undefined) return null;
  return (
    <Notice ref={summary} as="div" tone="bad" role="alert" tabIndex={-1}>
      <strong>{faults.form ?? 'Non è stato salvato: correggi i campi segnati in rosso.'}</strong>
    </Notice>
  );
}
