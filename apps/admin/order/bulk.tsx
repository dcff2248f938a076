/** Acts on many orders: on chosen rows, or on all that the filter finds. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { addressOf } from '#server/contract/endpoint.ts';
import { sendMessage } from '#server/contract/messages.ts';
import { exportOrders } from '#server/contract/order/orders.ts';
import { mostChosen } from '#server/domain/mail/message.ts';
import { formatCount } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { FreshDownload } from '#apps/admin/kit/fresh-download.tsx';
import { writeAddress } from '#apps/admin/mail/selection.ts';
import { useMay } from '#apps/admin/kit/session/session.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './bulk.module.css';

export interface Chosen {
  ids: readonly string[];
  toggle: (id: string) => void;
  clear: () => void;
}

/** The chosen rows, in the order of choosing. */
export function useChosen(): Chosen {
  const [ids, setIds] = useState<readonly string[]>([]);
  return {
    ids,
    toggle: (id) =>
      setIds((old) => (old.includes(id) ? old.filter((other) => other !== id) : [...old, id])),
    clear: () => setIds([]),
  };
}

/** The user may do one of the bulk acts. */
function useMayAct(): boolean {
  const mayWrite = useMay(sendMessage.who);
  return useMay(exportOrders.who) || mayWrite;
}

/** The check box of a row; the server limits how many can be chosen. */
export function ChooseRow({ id, number, chosen }: { id: string; number: string; chosen: Chosen }) {
  const mayAct = useMayAct();
  const isChosen = chosen.ids.includes(id);
  if (!mayAct) return null;
  return (
    <input
      type="checkbox"
      className={styles.tick}
      aria-label={`Scegli l’ordine ${number}`}
      checked={isChosen}
      disabled={!isChosen && chosen.ids.length >= mostChosen}
      onChange={() => chosen.toggle(id)}
    />
  );
}

interface BulkBarProps {
  chosen: Chosen;
  /**
   * How many orders the filter finds; undefined while they are counted.
   */ total: number | undefined;
  filter: object;
}

export function BulkBar({ chosen, total, filter }: BulkBarProps) {
  const mayWrite = useMay(sendMessage.who);
  const mayExport = useMay(exportOrders.who);
  const mayAct = useMayAct();
  const { ids } = chosen;
  const file = (format: 'excel' | 'plain') =>
    addressOf(exportOrders, {}, { format, ...(ids.length > 0 ? { ids: ids.join(',') } : filter) });
  if (!mayAct) return null;
  return (
    <div className={styles.bar} role="group" aria-label="Azioni sugli ordini">
      <p aria-live="polite">
        {ids.length > 0 ? (
          <b>{formatCount(ids.length, 'ordine scelto', 'ordini scelti')}</b>
        ) : (
          <>
            Tutti i risultati{' '}
            {total !== undefined && (
              <>
                (<b>{total.toLocaleString('it-IT')}</b>)
              </>
            )}
          </>
        )}
        {ids.length >= mostChosen && ` (al massimo ${mostChosen}: per di più usa i filtri)`}
      </p>
      {ids.length > 0 && <Button small label="Togli la scelta" onClick={chosen.clear} />}
      <p className={textStyles.links}>
        {mayWrite && (
          <>
            <Link to={writeAddress('message', filter, ids)}>
              <Icon name="mail" size={16} /> Scrivi…
            </Link>
            <Link to={writeAddress('tickets', filter, ids)}>
              <Icon name="ticket" size={16} /> Rimanda i biglietti…
            </Link>
          </>
        )}
        {mayExport && (
          <>
            <FreshDownload href={file('excel')}>
              <Icon name="download" size={16} /> CSV (Excel italiano)
            </FreshDownload>
            <FreshDownload href={file('plain')}>CSV</FreshDownload>
          </>
        )}
      </p>
    </div>
  );
}
