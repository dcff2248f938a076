/** Stripe's own facts about an order’s payment, fetched on demand. */
import { useState } from 'react';
import { readCheckoutSession } from '#server/contract/order/orders.ts';
import { CallError } from '#apps/shared/api.ts';
import { formatEuro, formatListDate, formatTimeWithSeconds } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { TechnicalDetails } from '#apps/admin/kit/page/technical-details.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { checkoutWords, paymentWords } from '#apps/admin/kit/words.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { joinParts } from '#apps/admin/kit/join-parts.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';
import styles from '#apps/admin/order/refund/refund.module.css';

interface CheckoutSessionProps {
  orderId: string;
  total_cents: number;
}

export function CheckoutSession({ orderId, total_cents }: CheckoutSessionProps) {
  const [asked, setAsked] = useState(false);
  const session = useEndpoint(
    readCheckoutSession,
    { params: { orderId } },
    { enabled: asked, refetchOnWindowFocus: false, staleTime: 60_000 },
  );
  if (!asked)
    return <Button small onClick={() => setAsked(true)} icon="search" label="Chiedi a Stripe" />;
  if (session.isFetching) return <Spinner text="Chiedo a Stripe…" />;
  const again = (
    <Button small onClick={() => void session.refetch()} icon="refresh" label="Chiedi di nuovo" />
  );
  if (session.data === undefined || session.isError)
    return (
      <div className={formStyles.stack}>
        <Notice tone="warn" role="alert">
          {tellSilence(session.error)}
        </Notice>
        {again}
      </div>
    );

  const { data } = session;
  const differs = data.amount_total !== total_cents || data.currency !== 'eur';
  return (
    <div className={`${formStyles.stack} ${styles.session}`} aria-live="polite">
      <h3>Secondo Stripe, alle {formatTimeWithSeconds(session.dataUpdatedAt)}</h3>
      <Facts>
        <Fact name="Stato">
          {checkoutWords[data.status]} · {paymentWords(data.payment_status)}
        </Fact>
        <Fact name="Importo">{tellAmount(data)}</Fact>
        {data.status === 'open' && <Fact name="Scade">{formatListDate(data.expires_at)}</Fact>}
        <Fact name="Cliente">{joinParts(data.customer_name, data.customer_email) || '–'}</Fact>
        <Fact name="Codici">
          <TechnicalDetails>
            {data.payment_intent !== null && (
              <>
                Pagamento <code>{data.payment_intent}</code>
                <br />
              </>
            )}
            Sessione <code>{data.id}</code>
          </TechnicalDetails>
        </Fact>
      </Facts>
      {differs && (
        <Notice tone="bad">
          L’importo su Stripe non è quello dell’ordine ({formatEuro(total_cents)}).
        </Notice>
      )}
      {again}
    </div>
  );
}

/** The currency may be another than the euro. */
function tellAmount({
  amount_total,
  currency,
}: {
  amount_total: number;
  currency: string;
}): string {
  if (currency === 'eur') return formatEuro(amount_total);
  return `${(amount_total / 100).toLocaleString('it-IT')} ${currency.toUpperCase()}`;
}

/** The refusal's own sentence speaks to buyers, so the office gets another. */
function tellSilence(error: Error | null): string {
  if (error instanceof CallError && error.code === 'provider_silent')
    return 'Stripe non risponde in questo momento: l’ordine non cambia. Riprova tra poco.';
  return tellFailure(error);
}
