/** One person by mail address: their data, a copy for them, and their erasure. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { findPerson, listErasures } from '#server/contract/personal.ts';
import { formatEuro, formatListDate, formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { MailField } from '#apps/admin/kit/form/mail-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice, Notice } from '#apps/admin/kit/page/notice.tsx';
import { Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { Cell } from '#apps/admin/kit/list/cell.tsx';
import { ErasePerson } from './erase.tsx';
import { ExportPerson } from './export.tsx';
import { PersonalParts } from './parts.tsx';
import { sayWhen, type Found } from './words.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './personal.module.css';

export function PersonScreen() {
  const act = useAct();
  const erasures = useEndpoint(listErasures, {});
  const [email, setEmail] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const search = useSubmit(async () => {
    setDone(null);
    setFound(await act(findPerson, { body: { email } }));
  });

  return (
    <>
      <PageTitle title="Dati personali" />
      <PersonalParts />
      <Intro>
        Quando qualcuno chiede che cosa conservi, ne vuole una copia o vuole essere cancellato:
        cerca il suo indirizzo e-mail. La legge dà un mese per rispondere (art. 12 GDPR).
      </Intro>
      <form className={styles.search} onSubmit={search.submit}>
        <MailField label="E-mail della persona" required value={email} onChange={setEmail} />
        <Button type="submit" look="primary" busy={search.busy} label="Mostra i dati" />
      </form>
      <FailureNotice text={search.failure} />
      {done !== null && (
        <Notice as="output" tone="good" aria-label="Esito">
          {done}
        </Notice>
      )}
      {found !== null && (
        <FoundPerson
          found={found}
          onErased={async (words) => {
            setDone(words);
            setFound(await act(findPerson, { body: { email: found.email } }));
            await erasures.refetch();
          }}
        />
      )}
      <Loaded query={erasures}>{(list) => <Erasures list={list} />}</Loaded>
    </>
  );
}

interface FoundProps {
  found: Found;
  onErased: (words: string) => Promise<void>;
}

function FoundPerson({ found, onErased }: FoundProps) {
  if (found.held.length === 0)
    return (
      <Empty icon="search" title="Non c’è nessun dato con questo indirizzo.">
        <p>
          Chi compra alla cassa può non aver lasciato un’e-mail: cerca il nome o il telefono fra gli{' '}
          <Link to="/orders">ordini</Link>.
        </p>
      </Empty>
    );
  const mayErase = found.held.some(({ kind }) => kind !== 'account');
  return (
    <Panel aria-label={`Dati di ${found.email}`} className={styles.found}>
      <h2>{found.email}</h2>
      <HeldTable held={found.held} />
      {found.orders.length > 0 && <OrderTable orders={found.orders} />}
      <div className={styles.acts}>
        <ExportPerson email={found.email} />
        {mayErase && <ErasePerson found={found} onErased={onErased} />}
      </div>
    </Panel>
  );
}

function HeldTable({ held }: { held: Found['held'] }) {
  return (
    <Table
      cards
      className={styles.rows}
      columns={[
        'Che cosa',
        { number: 'Quanti', rem: 5 },
        'Dove',
        'Che cosa ne fa la cancellazione',
      ]}
    >
      <caption className="visually-hidden">Che cosa conserviamo</caption>
      <tbody>
        {held.map(({ kind, label, count, where, erasure }) => (
          <tr key={kind}>
            <th scope="row">{label}</th>
            <Cell name="Quanti" number>
              {count}
            </Cell>
            <Cell name="Dove">{where}</Cell>
            <Cell name="Cancellazione">{erasure}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function OrderTable({ orders }: { orders: Found['orders'] }) {
  return (
    <Table
      cards
      className={styles.rows}
      columns={[
        { name: 'Ordine', rem: 8 },
        'Evento',
        { number: 'Totale', rem: 7 },
        'Si può cancellare',
      ]}
    >
      <caption className="visually-hidden">I suoi ordini</caption>
      <tbody>
        {orders.map((order) => (
          <tr key={`${order.order_id} ${order.role}`}>
            <th scope="row">
              <Link to={`/orders/${order.order_id}`}>{order.number}</Link>
              {order.role === 'holder' && <SecondLine>di un’altra persona</SecondLine>}
            </th>
            <td>
              {order.event_title}
              <SecondLine>{formatLongDate(order.starts_at)}</SecondLine>
            </td>
            <Cell name="Totale" number>
              {order.role === 'holder' ? '–' : formatEuro(order.total_cents)}
            </Cell>
            <Cell name="Si può cancellare">{sayWhen(order)}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Erasures({ list }: { list: ReplyOf<typeof listErasures> }) {
  const { items, restored } = list;
  return (
    <section className={styles.list}>
      <h2>Cancellazioni chieste</h2>
      {restored !== null && (
        <Notice tone="warn">
          Questa casa viene da una copia delle {formatListDate(restored.copied_at)}. Le
          cancellazioni dell’elenco accanto alle copie si ripetono da sole; se l’elenco non c’era,
          ripeti qui quelle chieste fra quel momento e il {formatListDate(restored.restored_at)}.
        </Notice>
      )}
      {items.length === 0 ? (
        <p className={textStyles.soft}>Finora nessuna.</p>
      ) : (
        <Table
          cards
          className={styles.rows}
          columns={[{ name: 'Quando', rem: 10 }, 'Chi l’ha fatta', 'Come è andata']}
        >
          <tbody>
            {items.map((item) => (
              <tr key={item.erasure_id}>
                <th scope="row">{formatListDate(item.asked_at)}</th>
                <Cell name="Chi">
                  {item.actor_name === 'system' ? 'dopo un ripristino' : item.actor_name}
                </Cell>
                <td>{sayState(item)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <p className={textStyles.soft}>
        Di chi era non resta scritto: solo un’impronta, per le copie.
      </p>
    </section>
  );
}

function sayState(item: ReplyOf<typeof listErasures>['items'][number]): string {
  if (item.repeats) return 'Si sta ripetendo dopo il ripristino di una copia.';
  const { waiting, done_at } = item;
  if (done_at !== null) return `Completa dal ${formatListDate(done_at).slice(0, 10)}.`;
  return waiting === 1 ? 'Un ordine aspetta ancora.' : `${waiting} ordini aspettano ancora.`;
}
