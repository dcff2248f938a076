/** The buyer: name, addresses, another contact, and the mails sent to them. */
import { languageNames } from '#server/domain/order/buyer.ts';
import { openStates } from '#server/domain/order/order.ts';
import { mailLink } from '#server/domain/text/mail-address.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { OrderMails } from './mails.tsx';
import type { Order } from './shown-order.ts';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

interface BuyerProps {
  order: Order;
  /** Undefined if the user may not correct the buyer. */
  onEdit: (() => void) | undefined;
}

export function OrderBuyer({ order, onEdit }: BuyerProps) {
  return (
    <Panel>
      <div className={panelStyles.title}>
        <h2>Acquirente</h2>
        {onEdit !== undefined && order.buyer_forgotten_at === null && (
          <Button small icon="edit" onClick={onEdit} label="Correggi…" />
        )}
      </div>
      <BuyerFacts order={order} />
      <OrderMails mails={order.mails} />
    </Panel>
  );
}

function noBuyerWords(state: Order['state']): string {
  return openStates.includes(state)
    ? 'I dati dell’acquirente arrivano con il pagamento.'
    : 'Nessuno ha lasciato un nome.';
}

function BuyerFacts({ order }: { order: Order }) {
  const { buyer_name, buyer_email, buyer_phone, buyer_contact, buyer_language } = order;
  const { buyer_forgotten_at } = order;
  if (buyer_forgotten_at !== null)
    return (
      <p className={textStyles.soft}>
        Dati cancellati il {formatListDate(buyer_forgotten_at).slice(0, 10)}, come promette
        l’informativa privacy.
      </p>
    );
  const known = [buyer_name, buyer_email, buyer_phone, buyer_contact, buyer_language];
  if (known.every((fact) => fact === null))
    return <p className={textStyles.soft}>{noBuyerWords(order.state)}</p>;
  return (
    <Facts>
      <Fact name="Nome">{buyer_name ?? '–'}</Fact>
      <Fact name="E-mail">
        {buyer_email === null ? '–' : <a href={mailLink(buyer_email)}>{buyer_email}</a>}
      </Fact>
      <Fact name="Telefono">
        {buyer_phone === null ? (
          '–'
        ) : (
          <a href={`tel:${buyer_phone.replace(/[^+\d]/g, '')}`}>{buyer_phone}</a>
        )}
      </Fact>
      {buyer_contact !== null && <Fact name="Referente">{buyer_contact}</Fact>}
      {buyer_language !== null && <Fact name="Lingua">{languageNames[buyer_language]}</Fact>}
    </Facts>
  );
}
