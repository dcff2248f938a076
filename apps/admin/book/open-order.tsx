/**
 * Shows one order's people to a person who checks a book: names, and the key that proves them.
 */
import { useState, type FormEvent } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { openBookOrder } from '#server/contract/books.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { call } from '#apps/shared/api.ts';
import { errorMessage } from '#apps/shared/error-message.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { CopyField } from '#apps/admin/kit/copy-field.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './books.module.css';

type Opened = ReplyOf<typeof openBookOrder>;

export function OpenOrder() {
  const [number, setNumber] = useState('');
  const [opened, setOpened] = useState<Opened | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const open = async (event: FormEvent) => {
    event.preventDefault();
    setFault(null);
    setOpened(null);
    try {
      setOpened(await call(openBookOrder, { query: { order: number } }));
    } catch (error) {
      setFault(errorMessage(error));
    }
  };
  return (
    <Panel aria-labelledby="book-open">
      <h2 id="book-open">Apri un nome</h2>
      <p className={textStyles.soft}>
        Nel libro i nomi e gli indirizzi sono impronte. Con la chiave di un ordine chi controlla può
        confrontare il suo, e nessun altro.
      </p>
      <form className={styles.opened} onSubmit={(event) => void open(event)}>
        <TextField label="Numero d’ordine" value={number} onChange={setNumber} required />
        <p>
          <Button type="submit" label="Mostra la chiave" disabled={number.trim() === ''} />
        </p>
      </form>
      {fault !== null && <p role="alert">{fault}</p>}
      {opened && (
        <div className={styles.opened} role="status">
          <p>
            {[opened.buyer, opened.mail, ...opened.holders]
              .flatMap((name) => (name ? [isolate(name)] : []))
              .join(', ') || 'Di quest’ordine non c’è più nessun nome.'}
          </p>
          <CopyField text={opened.key} label={`Chiave dell’ordine ${opened.order}`} />
        </div>
      )}
    </Panel>
  );
}
