/**
 * The page behind the link of a confirmation mail: the visitor confirms the reminder or cancels
 * it.
 */
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { call, CallError } from '#apps/shared/api.ts';
import { formatLongDate } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { confirmReminder, dropReminder, readReminder } from '#server/contract/reminders.ts';
import { useInBrowser } from '#apps/booking/shell/in-browser.ts';
import { usePageTitle } from '#apps/booking/shell/page/page-title.ts';
import { PlainPage } from '#apps/booking/shell/page/plain-page.tsx';
import card from '#apps/booking/shell/page/card.module.css';
import frame from '#apps/booking/shell/page/frame.module.css';
import styles from './reminder.late.module.css';

type Reminder = ReplyOf<typeof readReminder>;

export function ReminderPage() {
  usePageTitle('Avviso di apertura');
  const inBrowser = useInBrowser();
  return (
    <PlainPage>
      <h1 className={frame.title}>Avviso di apertura</h1>
      {inBrowser ? <Asked token={location.hash.slice(1)} /> : <Spinner />}
    </PlainPage>
  );
}

/** The token is in the address's fragment, which browsers do not send, so no log has it. */
function Asked({ token }: { token: string }) {
  const [taken, setTaken] = useState(false);
  const [confirmed, setConfirmed] = useState<Reminder | null>(null);
  const body = { token };
  const asked = useQuery({
    queryKey: ['reminder', token],
    queryFn: () => call(readReminder, { body }),
    retry: false,
  });
  if (taken)
    return (
      <Told icon="check" text="Fatto: il tuo indirizzo è cancellato e non ti scriveremo.">
        <Programme />
      </Told>
    );
  if (asked.isPending) return <Spinner />;
  if (asked.data === undefined)
    return isGone(asked.error) ? (
      <Told
        icon="clock"
        text="Questo link non vale più: era da confermare entro 48 ore, o l’avviso è già partito o è stato tolto."
      >
        <Programme />
      </Told>
    ) : (
      <ErrorView onRetry={() => asked.refetch()} />
    );
  return (
    <Choice
      reminder={confirmed ?? asked.data}
      onYes={async () => setConfirmed(await call(confirmReminder, { body }))}
      onNo={async () => {
        await call(dropReminder, { body });
        setTaken(true);
      }}
    />
  );
}

/** An incomplete link counts as expired. */
function isGone(error: unknown): boolean {
  return error instanceof CallError && ['reminder_gone', 'bad_request'].includes(error.code);
}

interface ChoiceProps {
  reminder: Reminder;
  onYes: () => Promise<void>;
  onNo: () => Promise<void>;
}

function Choice({ reminder: { event, opens_at, confirmed }, onYes, onNo }: ChoiceProps) {
  const opens = opens_at === null ? '' : ` (${formatLongDate(opens_at)})`;
  return (
    <section className={card.section}>
      <p>
        <strong>{event.title}</strong>, {formatLongDate(event.starts_at)}.
      </p>
      <output aria-label="Stato dell’avviso">
        {confirmed
          ? `Sei in elenco: ti scriviamo una volta sola, quando apre la vendita${opens}, poi cancelliamo l’indirizzo.`
          : `Vuoi un’e-mail quando apre la vendita${opens}? Te ne mandiamo una sola, poi cancelliamo l’indirizzo.`}
      </output>
      <div className={styles.choices}>
        {!confirmed && (
          <AsyncButton variant="primary" onClick={onYes}>
            Sì, avvisatemi
          </AsyncButton>
        )}
        <AsyncButton onClick={onNo}>Non voglio più l’avviso</AsyncButton>
      </div>
      <Link to={`/event/${event.id}`}>Vai alla pagina dello spettacolo</Link>
    </section>
  );
}

interface ToldProps {
  icon: 'check' | 'clock';
  text: string;
  children: ReactNode;
}

function Told({ icon, text, children }: ToldProps) {
  return (
    <section className={card.section}>
      <p role="status">
        <Icon name={icon} /> {text}
      </p>
      {children}
    </section>
  );
}

function Programme() {
  return <Link to="/">Guarda gli spettacoli in programma</Link>;
}
