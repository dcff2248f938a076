/** Opens a shift: the till, and the money in its drawer. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readCounter } from '#server/contract/counter.ts';
import type { Counter } from '#apps/admin/print/printed.tsx';
import { openShift } from '#server/contract/shifts.ts';
import { keyOf } from '#apps/shared/query.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { EuroField, readEuro } from '#apps/admin/kit/form/euro-field.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';

export function OpenShift({ counter }: { counter: Counter }) {
  const act = useAct();
  const client = useQueryClient();
  const { tills } = counter.settings;
  const [till_id, setTill] = useState(requireValue(tills[0], 'till').id);
  const [float, setFloat] = useState('');
  const cents = float.trim() === '' ? 0 : readEuro(float);
  const { busy, failure, submit } = useSubmit(async () => {
    if (cents === null) return;
    await act(openShift, { body: { till_id, float_cents: cents } });
    await client.invalidateQueries({ queryKey: keyOf(readCounter, {}) });
  });
  return (
    <>
      <PageTitle title="Apri il turno di cassa" />
      <Intro>Prima di vendere conta il fondo cassa: alla fine i conti tornano da lì.</Intro>
      <Panel>
        <form className={formStyles.stack} onSubmit={submit}>
          {tills.length > 1 && (
            <Radios
              legend="Cassa"
              value={till_id}
              onChange={setTill}
              options={tills.map(({ id, name }) => [id, name] as const)}
            />
          )}
          <EuroField
            label="Fondo cassa"
            value={float}
            onChange={setFloat}
            hint={`${tills.find(({ id }) => id === till_id)!.name}: quanto c’è già nel cassetto. Vuoto: niente.`}
          />
          <FormActions
            busy={busy}
            failure={failure}
            submitLabel="Apri il turno"
            disabled={cents === null}
          />
        </form>
      </Panel>
    </>
  );
}
