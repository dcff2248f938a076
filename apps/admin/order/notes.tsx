/** The office's notes about an order; one can be pinned, and authors can delete theirs. */
import { useState } from 'react';
import { addNote, deleteNote, pinNote } from '#server/contract/order/order-desk.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { Field, FieldTextarea } from '#apps/shared/ui/field.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { useMay, useUser } from '#apps/admin/kit/session/session.ts';
import type { Order } from './shown-order.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './order.module.css';

type OrderNote = Order['notes'][number];

export function OrderNotes({ order }: { order: Order }) {
  const mayWrite = useMay(addNote.who) && order.buyer_forgotten_at === null;
  return (
    <Panel wide>
      <h2>Note</h2>
      <div className={styles.notes}>
        <div>
          {order.notes.length === 0 && (
            <p className={textStyles.soft}>Nessuna nota. Le vede solo l’ufficio, mai chi compra.</p>
          )}
          <ul className={`${panelStyles.cards} ${styles.cards}`}>
            {order.notes.map((note) => (
              <li key={note.note_id} className={styles.noteCard}>
                <NoteCard order_id={order.order_id} note={note} mayWrite={mayWrite} />
              </li>
            ))}
          </ul>
        </div>
        {mayWrite && <NewNote order_id={order.order_id} />}
      </div>
    </Panel>
  );
}

interface NoteCardProps {
  order_id: string;
  note: OrderNote;
  mayWrite: boolean;
}

function NoteCard({ order_id, note, mayWrite }: NoteCardProps) {
  const change = useChange();
  const user = useUser();
  const params = { orderId: order_id, noteId: note.note_id };
  const pin = useSubmit(() => change(pinNote, { params, body: { pinned: !note.pinned } }));
  const mayDelete = note.author_id === user.id || user.role === 'admin';
  return (
    <>
      <p className={styles.note}>{note.text}</p>
      <p className={textStyles.soft}>
        {note.author} · {formatListDate(note.created_at)}
        {note.pinned && ' · in evidenza'}
      </p>
      {mayWrite && (
        <div className={buttonStyles.actions}>
          <Button
            small
            icon="pin"
            busy={pin.busy}
            aria-pressed={note.pinned}
            onClick={pin.submit}
            label={note.pinned ? 'Togli dall’evidenza' : 'Metti in evidenza'}
          />
          {mayDelete && (
            <AskButton
              label="Cancella…"
              title="Cancellare questa nota?"
              text={<p className={styles.note}>{note.text}</p>}
              confirmLabel="Cancella la nota"
              danger
              onConfirm={() => change(deleteNote, { params })}
            />
          )}
        </div>
      )}
      <FailureNotice text={pin.failure} />
    </>
  );
}

function NewNote({ order_id }: { order_id: string }) {
  const change = useChange();
  const [text, setText] = useState('');
  const [pinned, setPinned] = useState(false);
  const form = useSubmit(async () => {
    const body = { text: text.trim(), pinned };
    await change(addNote, { params: { orderId: order_id }, body });
    setText('');
    setPinned(false);
  });
  return (
    <form className={`${formStyles.stack} ${styles.newNote}`} onSubmit={form.submit}>
      <Field label="Nuova nota">
        <FieldTextarea
          rows={2}
          maxLength={2_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Check small label="In evidenza" checked={pinned} onChange={setPinned} />
      <FailureNotice text={form.failure} />
      <Button
        type="submit"
        small
        busy={form.busy}
        disabled={text.trim() === ''}
        label="Scrivi la nota"
      />
    </form>
  );
}
