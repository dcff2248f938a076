/** The last step before the run: the buyers' mail, the refunds, and a final question. */
import { useState } from 'react';
import { previewRehousingMail, startRehousing } from '#server/contract/rehousings.ts';
import { venueWords } from '#server/domain/event/event.ts';
import { formatCount, formatEuro, formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import type { Plan } from './plan.ts';
import styles from './rehousing.module.css';

interface StartPanelProps {
  eventId: string;
  plan: Plan;
}

export function StartPanel({ eventId, plan }: StartPanelProps) {
  const { counts } = plan;
  const change = useChange();
  const [refunds, setRefunds] = useState(plan.refunds || counts.lost_without > 0);
  const lost = refunds ? counts.lost_with_refunds : counts.lost_without;
  const start = () =>
    change(startRehousing, {
      params: { eventId },
      body: {
        version: plan.version,
        refunds,
        mails: counts.mails,
        lost,
        refunded: counts.refunded,
        refunded_cents: counts.refunded_cents,
      },
    });
  return (
    <Panel aria-labelledby="start">
      <h3 id="start">Avvio</h3>
      {counts.mails > 0 && <Letter eventId={eventId} mails={counts.mails} refunds={refunds} />}
      {counts.refund_cents > 0 && (
        <Check
          label="Rimborsa le differenze"
          hint={`Chi passa a un posto meno caro riceve indietro la differenza: ${formatEuro(counts.refund_cents)} in tutto. I prezzi non salgono mai.`}
          checked={refunds}
          onChange={setRefunds}
        />
      )}
      <Warnings plan={plan} refunds={refunds} lost={lost} />
      <AskButton
        small={false}
        label="Avvia il cambio di sala…"
        disabled={counts.unplaced > 0}
        title="Avviare il cambio di sala?"
        text={<WhatHappens plan={plan} refunds={refunds} lost={lost} />}
        confirmLabel="Avvia il cambio"
        danger
        onConfirm={start}
      />
    </Panel>
  );
}

function Warnings({ plan: { counts }, refunds, lost }: Happening) {
  return (
    <>
      {lost > 0 && (
        <Notice tone="warn">
          {formatCount(lost, 'biglietto passa', 'biglietti passano')} a una categoria inferiore
          senza rimborso
          {refunds ? ': non sono ancora pagati.' : '.'}
        </Notice>
      )}
      {counts.blocked > 0 && (
        <Notice tone="warn">
          {formatCount(counts.blocked, 'posto è bloccato', 'posti sono bloccati')} o in un
          contingente nella vecchia sala: con il cambio finiscono. La vendita resta sospesa finché
          non la riprendi tu.
        </Notice>
      )}
      {counts.unplaced > 0 && (
        <Notice tone="bad">
          {formatCount(counts.unplaced, 'biglietto non ha', 'biglietti non hanno')} un posto: finché
          è così il cambio non si avvia. Scegli per ognuno un posto, oppure segna per il rimborso.
        </Notice>
      )}
      {counts.refunded > 0 && <Notice tone="warn">{refundWords(counts)}</Notice>}
    </>
  );
}

/** What becomes of those without a place. */
function refundWords({ refunded, refunded_unpaid, refunded_cents, by_hand_cents }: Plan['counts']) {
  const parts = [
    `${formatCount(refunded, 'biglietto non ha posto e finisce', 'biglietti non hanno posto e finiscono')}: tornano indietro ${formatEuro(refunded_cents)}`,
    ...(by_hand_cents > 0 ? [`di cui ${formatEuro(by_hand_cents)} da restituire a mano`] : []),
    ...(refunded_unpaid > 0
      ? [`${formatCount(refunded_unpaid, 'non è ancora pagato', 'non sono ancora pagati')}`]
      : []),
  ];
  return `${parts.join(', ')}.`;
}

interface Happening {
  plan: Plan;
  refunds: boolean;
  lost: number;
}

function WhatHappens({ plan: { counts, news, asks }, refunds, lost }: Happening) {
  const place = news?.place ?? null;
  return (
    <ul className={styles.lines}>
      <li>La vendita si ferma subito, sul sito e alla cassa, fino alla fine.</li>
      <li>
        {formatCount(counts.moves, 'biglietto cambia', 'biglietti cambiano')} posto. Per un minuto
        puoi ancora annullare.
      </li>
      <li>Dopo quel minuto i codici di prima non valgono più: alla porta risultano SOSTITUITO.</li>
      <li>
        {formatCount(counts.mails, 'acquirente riceve', 'acquirenti ricevono')} un’e-mail con i
        biglietti nuovi.
      </li>
      {place !== null && (
        <li>
          Il luogo diventa {venueWords(place)}
          {asks &&
            `: fino a ${formatLongDate(place.answer_by)} ognuno può chiedere il rimborso di tutto`}
          .
        </li>
      )}
      {counts.refund_cents > 0 && (
        <li>
          {refunds
            ? `Si rimborsano ${formatEuro(counts.refund_cents)} di differenze.`
            : 'Le differenze non si rimborsano.'}
        </li>
      )}
      {counts.refunded > 0 && <li>{refundWords(counts)}</li>}
      {lost > 0 && (
        <li>
          {formatCount(lost, 'biglietto passa', 'biglietti passano')} a una categoria inferiore
          senza rimborso.
        </li>
      )}
    </ul>
  );
}

interface LetterProps {
  eventId: string;
  mails: number;
  refunds: boolean;
}

function Letter({ eventId, mails, refunds }: LetterProps) {
  const letter = useEndpoint(
    previewRehousingMail,
    { params: { eventId }, query: { refunds: refunds ? 'true' : 'false' } },
    { retry: false, refetchOnWindowFocus: false },
  );
  return (
    <details className={styles.letter}>
      <summary>
        {formatCount(mails, 'e-mail da mandare', 'e-mail da mandare')}: leggi com’è scritta
      </summary>
      <Loaded query={letter}>
        {({ to_address, subject, text }) => (
          <>
            <p>
              <span className={textStyles.soft}>A {to_address}</span>
              <b className={textStyles.block}>{subject}</b>
            </p>
            <pre>{text}</pre>
          </>
        )}
      </Loaded>
    </details>
  );
}
