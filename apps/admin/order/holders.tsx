/** The dialog with the names on all tickets of an order: typed one by one or pasted as a list. */
import { useState } from 'react';
import { nameHolders } from '#server/contract/order/order-desk.ts';
import { readFullName, readNameList } from '#server/domain/order/holder.ts';
import { formatCount } from '#apps/shared/format.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Field, FieldTextarea } from '#apps/shared/ui/field.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { isValidTicket, type OrderDialogProps } from './shown-order.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';
import styles from './order.module.css';

type Names = Readonly<Record<string, string>>;

const wrongName = 'Scrivi nome e cognome, come sul documento.';

export function Holders({ order, onClose }: OrderDialogProps) {
  const change = useChange();
  const tickets = order.lines.filter(isValidTicket);
  const [names, setNames] = useState<Names>(() =>
    Object.fromEntries(tickets.map(({ ticket_id, holder }) => [ticket_id, holder ?? ''])),
  );
  const nameOf = (ticket: string) => names[ticket] ?? '';
  const [tried, setTried] = useState(false);
  const changed = tickets.filter(
    ({ ticket_id, holder }) => nameOf(ticket_id).trim() !== (holder ?? ''),
  );
  const wrong = changed.filter(({ ticket_id }) => readFullName(nameOf(ticket_id)) === null);
  const replaced = changed.filter(({ holder }) => holder !== null).length;

  async function save() {
    setTried(true);
    if (wrong.length > 0) return;
    const holders = changed.map(({ ticket_id }) => ({ ticket_id, name: nameOf(ticket_id) }));
    await change(nameHolders, { params: { orderId: order.order_id }, body: { holders } });
    onClose();
  }

  return (
    <ConfirmDialog
      title="Nomi sui biglietti"
      confirmLabel={
        changed.length === 0 ? 'Salva' : `Salva ${formatCount(changed.length, 'nome', 'nomi')}`
      }
      disabled={changed.length === 0}
      onConfirm={save}
      onCancel={onClose}
      text={
        <div className={formStyles.stack}>
          <PastedList
            onPaste={(list) => setNames(fillNames({ tickets, names, list }))}
            most={tickets.length}
          />
          <div className={styles.names}>
            {tickets.map(({ ticket_id, seat }) => (
              <TextField
                key={ticket_id}
                label={seat}
                maxLength={121}
                value={nameOf(ticket_id)}
                error={tried && wrong.some((one) => one.ticket_id === ticket_id) ? wrongName : null}
                onChange={(name) => setNames({ ...names, [ticket_id]: name })}
              />
            ))}
          </div>
          {replaced > 0 && <p role="status">{tellReplaced(replaced)}</p>}
        </div>
      }
    />
  );
}

function tellReplaced(count: number): string {
  const what =
    count === 1
      ? 'Un biglietto cambia nome: il suo codice di prima non varrà più.'
      : `${count} biglietti cambiano nome: i loro codici di prima non varranno più.`;
  return `${what} Chi ha comprato riceve una sola e-mail con i biglietti nuovi.`;
}

/** A pasted list fills the empty fields in order; a longer list fills all fields. */
function fillNames({
  tickets,
  names,
  list,
}: {
  tickets: readonly { ticket_id: string }[];
  names: Names;
  list: readonly string[];
}): Names {
  const empty = tickets.filter(({ ticket_id }) => (names[ticket_id] ?? '').trim() === '');
  const targets = list.length > empty.length ? tickets : empty;
  const filled = targets
    .slice(0, list.length)
    .map(({ ticket_id }, at): [string, string] => [ticket_id, list[at] ?? '']);
  return { ...names, ...Object.fromEntries(filled) };
}

function PastedList({ most, onPaste }: { most: number; onPaste: (list: string[]) => void }) {
  const [text, setText] = useState('');
  const [said, setSaid] = useState<string | null>(null);

  function fill() {
    const list = readNameList(text);
    onPaste(list);
    setText('');
    const read = formatCount(list.length, 'nome letto', 'nomi letti');
    const more = `${read}: i biglietti sono ${most}, gli ultimi nomi restano fuori.`;
    setSaid(list.length > most ? more : `${read}.`);
  }

  return (
    <>
      <Field
        label="Incolla un elenco"
        hint={said ?? 'Un nome per riga, anche da un foglio di calcolo.'}
      >
        <FieldTextarea rows={2} value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <Button small disabled={text.trim() === ''} onClick={fill} label="Metti i nomi nei campi" />
    </>
  );
}
