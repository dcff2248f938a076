/** The dialog that takes back everything that one phone read in a span of time. */
import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { countPhoneScans, undoPhoneScans } from '#server/contract/door/phone-scans.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { isoOf } from '#server/domain/time/dates.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { instantOf, wallTimeOf } from '#apps/admin/kit/form/wall-time.ts';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import type { Phone } from './state.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';

type Figures = ReplyOf<typeof countPhoneScans>;

const minuteMs = 60_000;
/** How long an evening is, for the first proposal. */
const eveningMs = 6 * 3_600_000;

interface UndoScansProps {
  phone: Phone;
  onUndone: () => void;
  onClose: () => void;
}

export function UndoScans({ phone, onUndone, onClose }: UndoScansProps) {
  const [openedAt] = useState(() => Date.now());
  const [from, setFrom] = useState(fieldOf(openedAt - eveningMs));
  const [until, setUntil] = useState(fieldOf(openedAt));
  const [reason, setReason] = useState('');
  const span = spanOf(from, until);
  const { seen, error, busy, failure, submit } = useUndo(phone, { span, reason, onUndone });
  const count = seen ? seen.passages + seen.doubts : 0;
  return (
    <Modal title={`Annullare le letture di «${phone.name}»?`} onClose={onClose}>
      <form className={formStyles.stack} onSubmit={submit}>
        <p>
          Per un telefono rubato o usato male. I biglietti tornano come se non li avesse letti, e
          tutti i telefoni lo sanno; le letture in dubbio diventano «Non vale». Tutte restano
          scritte.
        </p>
        <TextField label="Dalle" type="datetime-local" value={from} onChange={setFrom} required />
        <TextField
          label="Alle"
          hint="Questo minuto è compreso."
          type="datetime-local"
          value={until}
          onChange={setUntil}
          required
        />
        <p role="status">
          {span === null ? 'La fine viene prima dell’inizio.' : wordsOf(seen, error)}
        </p>
        <TextField
          label="Motivo"
          hint="Resta nel Registro e in ogni lettura."
          value={reason}
          onChange={setReason}
          maxLength={200}
          required
        />
        <FormActions
          busy={busy}
          failure={failure}
          onCancel={onClose}
          submitLabel={`Annulla ${formatCount(count, 'lettura', 'letture')}`}
          disabled={count === 0 || reason.trim() === ''}
          danger
        />
      </form>
    </Modal>
  );
}

interface Wish {
  span: { from: string; until: string } | null;
  reason: string;
  onUndone: () => void;
}

/** Counts before it sends, and sends exactly what was counted. */
function useUndo({ id }: Phone, { span, reason, onUndone }: Wish) {
  const act = useAct();
  const client = useQueryClient();
  const params = { phoneId: id };
  const { data, error, refetch } = useEndpoint(
    countPhoneScans,
    { params, query: span ?? { from: '', until: '' } },
    { enabled: span !== null },
  );
  const seen = span === null ? undefined : data;
  const { busy, failure, submit } = useSubmit(async () => {
    if (span === null || seen === undefined) return;
    await act(undoPhoneScans, { params, body: { ...span, ...seen, reason: reason.trim() } });
    void client.invalidateQueries();
    onUndone();
  });
  // The number may have changed: the next try needs the new one.
  useEffect(() => {
    if (failure !== null) void refetch();
  }, [failure, refetch]);
  return { seen, error, busy, failure, submit };
}

function wordsOf(seen: Figures | undefined, error: Error | null): string {
  if (seen === undefined) return error === null ? 'Conto le letture…' : tellFailure(error);
  const { passages, doubts } = seen;
  if (passages + doubts === 0) return 'In questo tempo non c’è niente da annullare.';
  const counting = `${formatCount(passages, 'lettura', 'letture')} che ${passages === 1 ? 'conta' : 'contano'}`;
  return doubts === 0 ? `${counting}.` : `${counting} e ${doubts} in dubbio.`;
}

function fieldOf(at: number): string {
  const { date, time } = wallTimeOf(isoOf(at));
  return `${date}T${time}`;
}

/** Null while a field is no time, or the end comes before the beginning. */
function spanOf(from: string, until: string): { from: string; until: string } | null {
  const [first, last] = [from, until].map((text) => {
    const [date = '', time = ''] = text.split('T');
    return instantOf({ date, time, second: false });
  });
  if (first == null || last == null || last < first) return null;
  return { from: isoOf(first), until: isoOf(last + minuteMs) };
}
