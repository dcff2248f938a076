/** Differences with Stripe or the seat map: the facts of both sides, and the possible actions. */
import { nameOfEvent } from '#apps/admin/kit/date-name.ts';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { listBreaks, settleBreak } from '#server/contract/breaks.ts';
import type { BreakAction } from '#server/domain/office/break.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { formatAgo, useNow } from '#apps/admin/kit/clock.ts';
import { actionWords, breakTitles, tellFacts, type Break } from './words.ts';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './health.module.css';

/** `q` filters by words. */
export function Breaks({ q = '' }: { q?: string }) {
  const query = { open: 'true' as const, ...(q !== '' && { q }) };
  const breaks = usePages(listBreaks, { query }, 15_000);
  return (
    <PagedList pages={breaks}>
      {(rows) =>
        rows.length === 0 ? (
          <p className={textStyles.soft}>Nessuna differenza aperta.</p>
        ) : (
          <ul className={styles.breaks}>
            {rows.map((found) => (
              <BreakCard key={found.break_id} found={found} />
            ))}
          </ul>
        )
      }
    </PagedList>
  );
}

function BreakCard({ found }: { found: Break }) {
  const [asking, setAsking] = useState<BreakAction | null>(null);
  const now = useNow(30_000);
  return (
    <li className={styles.break}>
      <h3>{breakTitles[found.kind]}</h3>
      <p>{tellFacts(found)}</p>
      <p className={textStyles.soft}>
        {found.event_title !== null && <>{nameOfEvent(found)} · </>}
        {found.order_number !== null && (
          <>
            <Link to={`/orders/${found.order_id!}`}>Ordine {found.order_number}</Link> ·{' '}
          </>
        )}
        trovata {formatAgo(found.found_at, now)}
      </p>
      <div className={buttonStyles.actions}>
        {found.actions.map((action) => (
          <Button
            key={action}
            small
            onClick={() => setAsking(action)}
            label={`${actionWords[action].label}…`}
          />
        ))}
      </div>
      {asking !== null && <Settle found={found} action={asking} onClose={() => setAsking(null)} />}
    </li>
  );
}

interface SettleProps {
  found: Break;
  action: BreakAction;
  onClose: () => void;
}

function Settle({ found, action, onClose }: SettleProps) {
  const change = useChange();
  const [note, setNote] = useState('');
  const words = actionWords[action];
  return (
    <ConfirmDialog
      title={words.label}
      confirmLabel={words.label}
      onCancel={onClose}
      onConfirm={async () => {
        await change(settleBreak, {
          params: { breakId: found.break_id },
          body: { action, ...(note.trim() === '' ? {} : { note: note.trim() }) },
        });
        onClose();
      }}
      text={
        <div className={formStyles.stack}>
          <p>{words.effect}</p>
          <p className={textStyles.soft}>
            {breakTitles[found.kind]}. {tellFacts(found)}
          </p>
          <TextField
            label="Nota"
            hint="Facoltativa: resta nella storia."
            maxLength={500}
            value={note}
            onChange={setNote}
          />
        </div>
      }
    />
  );
}
