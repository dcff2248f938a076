/**
 * People without a ticket on the page of who is inside: counted at the desk, and the list of
 * counts.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { countHeads, listHeads, undoHeads } from '#server/contract/door/heads.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import type { Direction } from '#server/domain/door/admission.ts';
import { sayHeadReason } from '#server/domain/door/heads.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { formatCount, formatTimeWithSeconds } from '#apps/shared/format.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { SecondLine, Table } from '#apps/admin/kit/list/table.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { CountHeads, type HeadCount } from './count-heads.tsx';
import { doubtWords } from '#apps/admin/kit/words.ts';
import styles from './presence.module.css';

type Heads = ReplyOf<typeof listHeads>;
type Count = Heads['items'][number];

const pollMs = 3_000;

export function HeadsPanel({ eventId }: { eventId: string }) {
  const params = { eventId };
  const heads = useEndpoint(listHeads, { params }, { refetchInterval: pollMs });
  const client = useQueryClient();
  const act = useAct();
  const [counting, setCounting] = useState<Direction | null>(null);
  const [undoing, setUndoing] = useState<Count | null>(null);
  function askAgain() {
    for (const endpoint of [listHeads, readPresence])
      void client.invalidateQueries({ queryKey: keyOf(endpoint) });
  }
  async function count(body: HeadCount) {
    await act(countHeads, { params, body });
    askAgain();
    setCounting(null);
  }
  async function takeBack({ head_id: headId }: Count) {
    await act(undoHeads, { params: { eventId, headId } });
    askAgain();
    setUndoing(null);
  }
  return (
    <Panel className={styles.heads} aria-labelledby="heads-title">
      <div className={panelStyles.title}>
        <h2 id="heads-title">Senza biglietto</h2>
        <Button icon="door" label="Conta chi entra" onClick={() => setCounting('in')} />
        <Button icon="logout" label="Conta chi esce" onClick={() => setCounting('out')} />
      </div>
      <Loaded query={heads}>
        {(data) => (
          <>
            <p>{tellHeads(data)}</p>
            {data.items.length > 0 && <Counts items={data.items} onUndo={setUndoing} />}
          </>
        )}
      </Loaded>
      {counting !== null && (
        <CountHeads direction={counting} onCancel={() => setCounting(null)} onCount={count} />
      )}
      {undoing !== null && (
        <ConfirmDialog
          title="Annullare il conteggio?"
          text={
            <p>
              {tellCount(undoing)}, da «{undoing.by}».
            </p>
          }
          confirmLabel="Annulla il conteggio"
          danger
          onConfirm={() => takeBack(undoing)}
          onCancel={() => setUndoing(null)}
        />
      )}
    </Panel>
  );
}

function tellHeads({ inside, in: entered, out }: Heads): string {
  if (inside < 0)
    return `Ne risultano uscite ${-inside} più di quante entrate: un telefono deve ancora inviare, o c’è uno sbaglio.`;
  if (entered === 0)
    return 'Artisti, personale, stampa, vigili del fuoco: chi non ha un biglietto si conta a mano, qui o su un telefono della porta.';
  const passed = [formatCount(entered, 'entrata', 'entrate'), formatCount(out, 'uscita', 'uscite')];
  return `${formatCount(inside, 'persona dentro', 'persone dentro')}: ${passed.join(', ')}.`;
}

function tellCount({ direction, people, ...why }: Count): string {
  const [one, many] = direction === 'in' ? ['entrata', 'entrate'] : ['uscita', 'uscite'];
  return `${formatCount(people, one, many)} · ${sayHeadReason(why)}`;
}

/** So many are shown until all are asked for. */
const fewShown = 8;

function Counts({ items, onUndo }: { items: Heads['items']; onUndo: (count: Count) => void }) {
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, fewShown);
  return (
    <>
      <CountTable items={shown} onUndo={onUndo} />
      {shown.length < items.length && (
        <Button
          small
          label={`Mostra tutti i ${items.length} conteggi`}
          onClick={() => setAll(true)}
        />
      )}
    </>
  );
}

function CountTable({ items, onUndo }: { items: Heads['items']; onUndo: (count: Count) => void }) {
  return (
    <Table cards columns={['Quanti e perché', 'Ora', 'Chi', { hidden: 'Annulla' }]}>
      <tbody>
        {items.map((count) => (
          <tr key={count.head_id}>
            <th scope="row">
              <span className={count.undone ? styles.gone : undefined}>{tellCount(count)}</span>
              {count.doubt !== null && (
                <SecondLine>
                  <span className={textStyles.warn}>Non contato: {doubtWords[count.doubt]}</span>
                </SecondLine>
              )}
            </th>
            <td>
              <time dateTime={count.at}>{formatTimeWithSeconds(count.at)}</time>
            </td>
            <td>
              {count.by}
              {count.gate !== null && <SecondLine>{count.gate}</SecondLine>}
            </td>
            <td className={tableStyles.number}>
              {count.undone && <StateBadge tone="neutral" icon="undo" word="Annullato" />}
              {!count.undone && count.doubt === null && (
                <Button small icon="undo" label="Annulla" onClick={() => onUndo(count)} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
