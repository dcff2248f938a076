/**
 * Cancels an event: shows figures, asks for the title as confirmation, then shows the refunds.
 */
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { cancelEvent, previewCancellation, readRefundRun } from '#server/contract/order/refunds.ts';
import { formatCount, formatEuro, formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Announcements } from '#apps/admin/mail/announcements.tsx';
import { CancelledAnswers } from './cancelled-answers.tsx';
import { RefundWhen, type When } from './refund-when.tsx';
import { instantOf, noTime } from '#apps/admin/kit/form/wall-time.ts';
import { HandBackList } from './hand-backs.tsx';
import { RefundProgress } from './refund-progress.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { isReason, TypedReason } from '#apps/admin/kit/form/typed-reason.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

type Preview = ReplyOf<typeof previewCancellation>;

export function CancelEventScreen() {
  const { eventId } = useParams() as { eventId: string };
  const [with_fees, setWithFees] = useState<boolean | null>(null);
  const preview = useEndpoint(
    previewCancellation,
    {
      params: { eventId },
      query: with_fees === null ? {} : { with_fees: with_fees ? 'true' : 'false' },
    },
    { placeholderData: (old) => old, refetchInterval: 10_000 },
  );
  return (
    <>
      <BackLink to={`/events/${encodeURIComponent(eventId)}`}>Evento</BackLink>
      <Announcements event_id={eventId} />
      <Loaded query={preview}>
        {(data) =>
          data.run_id === null ? (
            <Ask preview={data} onFees={setWithFees} fresh={!preview.isPlaceholderData} />
          ) : (
            <Run runId={data.run_id} title={data.title} />
          )
        }
      </Loaded>
    </>
  );
}

function Run({ runId, title }: { runId: string; title: string }) {
  const run = useEndpoint(readRefundRun, { params: { runId } }, { refetchInterval: 3_000 });
  // Once shown, the list stays and tells what was handed back.
  const [mustHandBack, setMustHandBack] = useState(false);
  if (!mustHandBack && (run.data?.to_hand_back ?? 0) > 0) setMustHandBack(true);
  return (
    <>
      <PageTitle title={`${title}: evento annullato`} />
      <Loaded query={run}>
        {(data) => (
          <>
            <RefundProgress run={data} />
            {data.asks_until !== null && <CancelledAnswers run={data} />}
            {mustHandBack && <HandBackList eventId={data.event_id} />}
          </>
        )}
      </Loaded>
    </>
  );
}

interface AskProps {
  preview: Preview;
  onFees: (with_fees: boolean) => void;
  fresh: boolean;
}

function Ask({ preview, onFees, fresh }: AskProps) {
  const mayCancel = useMay(cancelEvent.who);
  return (
    <>
      <PageTitle title={`Annulla l’evento «${preview.title}»`} />
      <Notice tone="bad">
        <strong>Hai un minuto per ripensarci, poi non si torna indietro.</strong> La vendita si
        chiude subito e alla porta compare ANNULLATO; dopo un minuto ogni ordine pagato viene
        rimborsato, oppure si chiede agli acquirenti che cosa preferiscono.
      </Notice>
      {!mayCancel && <Notice>Solo un amministratore può annullare un evento.</Notice>}
      <div className={panelStyles.panels}>
        <WhatHappens preview={preview} onFees={onFees} />
        {mayCancel && <Confirmation preview={preview} fresh={fresh} />}
      </div>
    </>
  );
}

interface WhatHappensProps {
  preview: Preview;
  onFees: (with_fees: boolean) => void;
}

function WhatHappens({ preview, onFees }: WhatHappensProps) {
  return (
    <Panel>
      <h2>Che cosa succede</h2>
      <Consequences preview={preview} />
      {preview.fee_cents + preview.kept_fee_cents > 0 && (
        <Check
          label="Restituisci anche la prevendita"
          hint="Per un evento annullato i tribunali la vogliono restituita. Chi ha comprato quando la si restituiva la riceve comunque."
          checked={preview.with_fees}
          onChange={onFees}
        />
      )}
      <p className={textStyles.soft}>Gli acquirenti ricevono un’e-mail.</p>
    </Panel>
  );
}

function Consequences({ preview }: { preview: Preview }) {
  return (
    <Facts wide>
      <Fact name="Evento">
        {preview.title}
        <span className={`${textStyles.soft} ${textStyles.block}`}>
          {formatLongDate(preview.starts_at)}
        </span>
      </Fact>
      <Fact name="Ordini da rimborsare">
        {preview.orders.toLocaleString('it-IT')}{' '}
        <span className={textStyles.soft}>
          ({formatCount(preview.tickets, 'biglietto', 'biglietti')})
        </span>
      </Fact>
      <Fact name="Totale dei rimborsi">
        <b>{formatEuro(preview.sum_cents)}</b>
      </Fact>
      {preview.fee_cents + preview.kept_fee_cents > 0 && (
        <Fact name="Prevendita">
          {preview.fee_cents > 0
            ? `${formatEuro(preview.fee_cents)} restituiti`
            : `${formatEuro(preview.kept_fee_cents)} trattenuti`}
        </Fact>
      )}
      {preview.manual_orders > 0 && (
        <Fact name="Da restituire a mano">
          {formatEuro(preview.manual_cents)}{' '}
          <span className={textStyles.soft}>
            ({formatCount(preview.manual_orders, 'ordine pagato', 'ordini pagati')} senza Stripe)
          </span>
        </Fact>
      )}
      {preview.open_orders > 0 && (
        <Fact name="Ordini non pagati">
          {formatCount(preview.open_orders, 'ordine finisce', 'ordini finiscono')} senza incasso
        </Fact>
      )}
      {preview.disputed_orders > 0 && (
        <Fact name="Contestati">
          {formatCount(preview.disputed_orders, 'ordine', 'ordini')} che Stripe per ora non rimborsa
        </Fact>
      )}
    </Facts>
  );
}

function Confirmation({ preview, fresh }: { preview: Preview; fresh: boolean }) {
  const change = useChange();
  const [reason, setReason] = useState('');
  const [when, setWhen] = useState<When>('now');
  const [until, setUntil] = useState(noTime);
  const [typed, setTyped] = useState('');
  const sameTitle = fold(typed) === fold(preview.title);
  const asks = when === 'ask' && preview.sum_cents > 0;
  const deadline = instantOf(until);

  async function cancel() {
    await change(cancelEvent, {
      params: { eventId: preview.event_id },
      body: {
        expected_cents: preview.sum_cents,
        expected_orders: preview.orders,
        reason: reason.trim(),
        with_fees: preview.with_fees,
        ...(asks && deadline !== null && { ask_until: new Date(deadline).toISOString() }),
      },
    });
  }

  return (
    <Panel>
      <h2>Conferma</h2>
      <TypedReason
        value={reason}
        onChange={setReason}
        label="Perché viene annullato"
        hint="Almeno 5 caratteri: resta nella storia."
      />
      {preview.sum_cents > 0 && (
        <RefundWhen when={when} onWhen={setWhen} until={until} onUntil={setUntil} />
      )}
      <TextField
        label={`Scrivi il titolo dell’evento: ${preview.title}`}
        value={typed}
        onChange={setTyped}
        spellCheck={false}
      />
      <AsyncButton
        variant="danger"
        onClick={cancel}
        disabled={!sameTitle || !isReason(reason) || !fresh || (asks && deadline === null)}
      >
        {buttonWords(preview, asks)}
      </AsyncButton>
    </Panel>
  );
}

function buttonWords({ sum_cents }: Preview, asks: boolean): string {
  if (sum_cents === 0) return 'Annulla l’evento';
  if (asks) return 'Annulla l’evento e chiedi agli acquirenti';
  return `Annulla l’evento e rimborsa ${formatEuro(sum_cents)}`;
}

/** Another kind of apostrophe must not make the typed title differ. */
function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
