/**
 * "I miei biglietti": the orders stored in this browser, also without signal. For other orders a
 * visitor types the buyer's mail address and gets the links by mail.
 */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router-dom';
import { call } from '#apps/shared/api.ts';
import { formatCount, formatLongDate } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { useEndpoint } from '#apps/shared/query.ts';
import { orderStatus } from '#server/contract/order/orders.ts';
import { findOrders } from '#server/contract/order/holders.ts';
import { usePageTitle } from '#apps/booking/shell/page/page-title.ts';
import { PlainPage } from '#apps/booking/shell/page/plain-page.tsx';
import { SentNote } from '#apps/booking/shell/sent-note.tsx';
import { forgetIfGone, readSavedOrders, savedOrdersIn } from '#apps/booking/order/saved-orders.ts';
import type { SavedPage } from '#apps/booking/order/saved-orders.ts';
import { isTicketKey } from '#apps/booking/order/ticket/ticket-key.ts';
import { EmailField, mistakeIn } from '#apps/booking/shell/email-field.tsx';
import card from '#apps/booking/shell/page/card.module.css';
import frame from '#apps/booking/shell/page/frame.module.css';
import styles from './my-tickets.module.css';

export function MyTickets() {
  usePageTitle('I miei biglietti');
  return (
    <PlainPage>
      <h1 className={frame.title}>I miei biglietti</h1>
      <KeptOrders />
      <FindForm />
    </PlainPage>
  );
}

/** Another tab may store an order. */
function onStorage(listener: () => void): () => void {
  window.addEventListener('storage', listener);
  return () => window.removeEventListener('storage', listener);
}

/** Renders nothing if no order is stored; then the form is enough. */
function KeptOrders() {
  // On the server there is no storage.
  const orders = savedOrdersIn(useSyncExternalStore(onStorage, readSavedOrders, () => '[]'));
  const [, setGone] = useState(0);
  if (orders.length === 0) return null;
  return (
    <section aria-labelledby="kept-title">
      <h2 id="kept-title">Su questo dispositivo</h2>
      <ul className={styles.kept}>
        {orders.map((order) => (
          <li key={order.order_id}>
            <KeptOrder order={order} onGone={() => setGone((count) => count + 1)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface KeptOrderProps {
  order: SavedPage;
  /** The order was removed, because its link was replaced. */ onGone: () => void;
}

function KeptOrder({
  order: { order_id, event, tickets, lines = tickets },
  onGone,
}: KeptOrderProps) {
  const { error } = useEndpoint(
    orderStatus,
    { params: { orderId: order_id } },
    { enabled: !isTicketKey(order_id) },
  );
  useEffect(() => {
    if (forgetIfGone(order_id, error)) onGone();
  });
  return (
    <Link className={`${card.card} ${styles.order}`} to={`/orders/${order_id}`}>
      <Icon name="ticket" size={28} />
      <span>
        <strong>{event.title}</strong>
        <span>{formatLongDate(event.starts_at)}</span>
        <span className="soft">
          {formatCount(tickets.length, 'biglietto', 'biglietti')}:{' '}
          {lines.map(({ seat }) => seat).join('; ')}
        </span>
      </span>
      <Icon name="forward" />
    </Link>
  );
}

function FindForm() {
  const [email, setEmail] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);

  async function send() {
    const mistake = mistakeIn(email, form.current);
    setWrong(mistake);
    if (mistake !== null) return;
    await call(findOrders, { body: { email: email.trim() } });
    setSentTo(email.trim());
  }
  return (
    <section className={`${card.card} ${styles.section}`}>
      <p>
        Hai perso la pagina dei tuoi biglietti? Scrivi l’indirizzo e-mail che hai usato per
        l’acquisto: ti mandiamo i link ai tuoi ordini.
      </p>
      <form ref={form} noValidate onSubmit={(event) => event.preventDefault()}>
        <EmailField label="E-mail" value={email} error={wrong} onChange={setEmail} />
        <AsyncButton variant="primary" type="submit" onClick={send}>
          <Icon name="mail" /> Mandami i link
        </AsyncButton>
      </form>
      <output aria-label="Esito">
        {sentTo !== null && (
          <SentNote>
            Se con <strong>{sentTo}</strong> sono stati fatti ordini, tra poco arriva un’e-mail con
            i link. Guarda anche nella posta indesiderata.
          </SentNote>
        )}
      </output>
      <p className="small soft">
        Per la tua sicurezza i link arrivano solo a quell’indirizzo, e questa pagina non dice mai
        chi ha comprato.
      </p>
    </section>
  );
}
