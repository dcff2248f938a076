/** "I miei biglietti": whoever has lost the links to their orders types the mail address of the purchase, and they go there by mail. */
import { useRef, useState } from 'react';
import { call } from '#apps/shared/api.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { findOrders } from '#server/contract/holders.ts';
import { usePageTitle } from '#apps/booking/shell/page-title.ts';
import { PlainPage } from '#apps/booking/shell/plain-page.tsx';
import card from '#apps/booking/shell/card.module.css';
import frame from '#apps/booking/shell/frame.module.css';
import styles from './my-tickets.module.css';

export function MyTickets() {
  usePageTitle('I miei biglietti');
  return (
    <PlainPage>
      <h1 className={frame.title}>I miei biglietti</h1>
      <FindForm />
    </PlainPage>
  );
}

function FindForm() {
  const [email, setEmail] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);

  async function send() {
    const input = form.current!.querySelector('input')!;
    const mistake = mistakeIn(email, input);
    setWrong(mistake);
    if (mistake !== null) return input.focus();
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
        <Field
          label="E-mail"
          type="email"
          inputMode="email"
          autoComplete="email"
          required
          maxLength={254}
          value={email}
          error={wrong}
          onChange={(event) => setEmail(event.target.value)}
        />
        <AsyncButton variant="primary" type="submit" onClick={send}>
          <Icon name="mail" /> Mandami i link
        </AsyncButton>
      </form>
      <output aria-label="Esito">
        {sentTo !== null && (
          <span className={styles.sent}>
            <Icon name="check" />{' '}
            <span>
              Se con <strong>{sentTo}</strong> sono stati fatti ordini, tra poco arriva un’e-mail
              con i link. Guarda anche nella posta indesiderata.
            </span>
          </span>
        )}
      </output>
      <p className="small soft">
        Per la tua sicurezza i link arrivano solo a quell’indirizzo, e questa pagina non dice mai
        chi ha comprato.
      </p>
    </section>
  );
}

function mistakeIn(email: string, { validity }: HTMLInputElement): string | null {
  if (email.trim() === '') return 'Scrivi il tuo indirizzo e-mail.';
  return validity.valid ? null : 'Questo indirizzo non è completo.';
}
